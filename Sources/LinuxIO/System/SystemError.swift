import Chips

#if canImport(Glibc)
  import Glibc
#endif

/// The meaning of the kernel's error numbers, for each operation.
package enum SystemError {
  /// For opening a device.
  package static func opening(_ code: Int32, group: String) -> BusError.Kind {
    switch code {
    case ENOENT, ENODEV, ENXIO, ENOTDIR: .missing
    case EACCES, EPERM, EROFS: .permissionDenied(group: group)
    case EBUSY: .inUse("another program")
    default: .failed("opening")
    }
  }

  /// For selecting an address of an I2C bus (`I2C_SLAVE`), where EBUSY has a special meaning.
  /// - Source: Linux, Documentation/i2c/dev-interface: I2C_SLAVE is refused with EBUSY where a
  ///   driver is bound to the address.
  package static func claiming(_ code: Int32) -> BusError.Kind {
    code == EBUSY ? .ownedByKernel : transfer(code) { 0 }
  }

  /// For an I2C or SMBus transfer.
  ///
  /// ENXIO is the documented number for an unacknowledged address. i2c-bcm2835, i2c-designware and
  /// i2c-tegra return EREMOTEIO instead, i2c-stub ENODEV. EIO is documented as vague; i2c-algo-bit
  /// returns it when a chip stops to acknowledge within a transfer, with the same remedy. ETIMEDOUT
  /// and EAGAIN may concern one device or the bus, so another address is tried: a line held low
  /// looks like lost arbitration too. EBUSY is documented as a bus that was busy for longer than
  /// allowed.
  /// - Parameters:
  ///   - code: The transfer's error number.
  ///   - other: Reads a byte from another address; returns its error number, 0 on success.
  /// - Returns: The kind of fault.
  /// - Source: Linux, Documentation/i2c/fault-codes.
  package static func transfer(_ code: Int32, other: () -> Int32) -> BusError.Kind {
    switch code {
    case ENXIO, EREMOTEIO, EIO, ENODEV: .noAnswer
    case ETIMEDOUT: other() == code ? .stuck : .noAnswer
    case EAGAIN: other() == code ? .stuck : .arbitrationLost
    case EBUSY: .stuck
    case EOPNOTSUPP, EINVAL, EMSGSIZE, ENOSYS: .unsupported("no transfers of this kind or length")
    case EBADMSG, EPROTO: .failed("the protocol with the chip")
    default: .failed("the transfer")
    }
  }

  /// For an SPI transfer: there is no acknowledgement, so that every fault is the controller's.
  package static func spi(_ code: Int32) -> BusError.Kind {
    switch code {
    // spidev's error after its controller was removed.
    case ESHUTDOWN, ENODEV: .disconnected
    case EMSGSIZE, EINVAL, EOPNOTSUPP: .unsupported("no transfers of this kind or length")
    case EBUSY: .inUse("another program")
    default: .failed("the transfer")
    }
  }

  /// For reading and writing a serial port.
  package static func serial(_ code: Int32, doing: String) -> BusError.Kind {
    switch code {
    // EIO: a hung-up terminal; ENODEV or ENXIO: an unplugged one.
    case EIO, ENODEV, ENXIO, ESHUTDOWN: .disconnected
    default: .failed(doing)
    }
  }

  /// For finding, requesting and using a GPIO line; `owner` is the consumer of a busy line.
  package static func line(
    _ code: Int32, name: String, owner: String, group: String
  ) -> BusError.Kind {
    switch code {
    // libgpiod's error for a file that is not a GPIO chip.
    case ENOTTY, EISDIR: .unsupported("not a GPIO chip; see /dev/gpiochip*")
    case EBUSY: .inUse(owner.isEmpty ? "another program" : "'\(owner)'")
    // An offset beyond the chip's last.
    case EINVAL: .noSuchLine(name)
    default: opening(code, group: group)
    }
  }
}
