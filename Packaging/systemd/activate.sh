# What follows the installation of the files: users, groups, folders, and, where systemd runs, devices and services. Sourced by
# install-unit and part of the package's postinst. POSIX sh.
lodestar_activate() { # lodestar_activate SYSUSERS TMPFILES: the names or paths of the two files
  systemd-sysusers "$1"
  # Status 73 (EX_CANTCREAT) also reports lines of no effect, such as a mode that the file system cannot store.
  systemd-tmpfiles --create "$2" || [ $? = 73 ]
  # A chroot has neither services nor devices of its own.
  [ -d /run/systemd/system ] || return 0
  systemctl --system daemon-reload || true
  # The bus has read its rules for a user who did not exist yet.
  [ ! -S /run/dbus/system_bus_socket ] ||
    busctl --quiet call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus ReloadConfig || true
  if [ -S /run/udev/control ]; then
    udevadm control --reload || true
    for subsystem in i2c-dev spidev gpio pps iio; do udevadm trigger --subsystem-match=$subsystem || true; done
  fi
}
