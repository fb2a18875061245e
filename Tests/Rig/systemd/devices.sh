# Sourced by what runs under systemd, where `check` is defined: which devices the unit admits.
# Devices of drivers that are not loaded: ENXIO says that the unit may open them, EPERM that it may not.
devices='89:i2c 153:spi 166:ttyACM 188:ttyUSB 204:ttyAMA 207:ttymxc 216:rfcomm 13:input'
for device in $devices; do mknod -m 666 "/dev/rig-${device#*:}" c "${device%:*}" 200; done
{
  printf '[Service]\nType=oneshot\nStandardOutput=file:/rig/devices\nStandardError=inherit\n'
  grep '^Device' /usr/lib/systemd/system/lodestar.service
  printf 'ExecStart=/bin/sh -c "for device in /dev/rig-*; do (: < $$device); done; true"\n'
} > /run/systemd/system/rig-devices.service
systemctl daemon-reload && systemctl start rig-devices
for device in $devices; do
  name=${device#*:}
  if [ "$name" = input ]; then says='Operation not permitted' word='is refused'; else says='No such device' word='that comes later is admitted'; fi
  check "a device of $name $word" grep -q "rig-$name: $says" /rig/devices
done
