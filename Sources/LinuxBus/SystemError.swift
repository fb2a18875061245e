import Bus

#if canImport(Glibc)
  import Glibc
#endif

/// What the kernel's error numbers mean, by what was being done.
package enum SystemError {
  /// Of opening a device.
  package static func opening(_ code: Int32, group: String) -> BusError.Kind {
    switch code {
    case ENOENT, ENODEV, ENXIO, ENOTDIR: .missing
    case EACCES, EPERM, EROFS: .permissionDenied(group: group)
    case EBUSY: .inUse("another program")
    default: .failed("opening")
    }
  }

  /// Of asking for an address of an I2C bus (`I2C_SLAVE`), where EBUSY has a meaning of its own.
  /// - Source: Linux, Documentation/i2c/dev-interface: I2C_SLAVE is refused with EBUSY where a driver is
  ///   bound to the address.
  package static func claiming(_ code: Int32) -> BusError.Kind {
    code == EBUSY ? .ownedByKernel : transfer(code) { 0 }
  }

  /// Of an I2C or SMBus transfer.
  ///
  /// ENXIO is the documented number for an address that nobody acknowledges; EREMOTEIO is what
  /// i2c-bcm2835, i2c-designware and i2c-tegra give instead, ENODEV what i2c-stub gives. EIO is
  /// documented as vague; i2c-algo-bit gives it where a chip stops acknowledging within a transfer,
  /// whose remedy is the same. ETIMEDOUT and EAGAIN may be one device's or all's, so another is asked:
  /// a line that is held down reads as lost arbitration too. EBUSY is documented as a bus that was busy
  /// for longer than allowed.
  /// - Parameters:
  ///   - code: The transfer's error number.
  ///   - other: Asks another address for a byte; its error number, 0 where it answers.
  /// - Returns: What happened.
  /// - Source: Linux, Documentation/i2c/fault-codes.
  package static func transfer(_ code: Int32, other: () -> Int32) -> BusError.Kind {
    switch code {
    case ENXIO, EREMOTEIO, EIO, ENODEV: .noAnswer
    case ETIMEDOUT: other() == code ? .stuck : .noAnswer
    case EAGAIN: other() == code ? .stuck : .arbitrationLost
    case EBUSY: .stuck
    case EOPNOTSUPP, EINVAL, EMSGSIZE, ENOSYS: .unsupported("this transfer")
    case EBADMSG, EPROTO: .failed("the protocol with the chip")
    default: .failed("the transfer")
    }
  }

  /// Of reading and writing a serial port.
  package static func serial(_ code: Int32, doing: String) -> BusError.Kind {
    switch code {
    // A hung-up terminal reads and writes as EIO; one that was unplugged as ENODEV or ENXIO.
    case EIO, ENODEV, ENXIO, ESHUTDOWN: .disconnected
    default: .failed(doing)
    }
  }

  /// Of finding, asking for and using a GPIO line; `owner` where the line is taken.
  package static func line(
    _ code: Int32, name: String, owner: String, group: String
  ) -> BusError.Kind {
    switch code {
    // What libgpiod says of a file that is none.
    case ENOTTY, EISDIR: .unsupported("GPIO, as it is no GPIO chip")
    case EBUSY: .inUse(owner.isEmpty ? "another program" : "'\(owner)'")
    // An offset beyond the chip's last.
    case EINVAL: .noSuchLine(name)
    default: opening(code, group: group)
    }
  }
}
