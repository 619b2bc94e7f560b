# Racks, vendor methods, history and conductors: the rest of what scripts look at.
rack=$(baremetal chassis create --description "rack 7" --extra row=3 -f value -c uuid)
baremetal node create --driver fake-hardware --name n --chassis-uuid "$rack" >/dev/null
baremetal node list --chassis "$rack" -f value -c name
baremetal chassis list -f value -c description
baremetal chassis set "$rack" --description "rack 8"
baremetal chassis show "$rack" -c description -c extra
baremetal node passthru list n -f value -c Name -c "Supported HTTP methods" | sort
baremetal node passthru call n second_method --arg bar=meow --http-method POST
baremetal node history list n
baremetal node bios setting list n
baremetal node firmware list n
baremetal conductor list -f value -c alive -c conductor_group
baremetal shard list
if baremetal chassis delete "$rack" 2>/dev/null; then exit 1; else echo "status $?"; fi
