import Chips

#if canImport(Glibc)
  import Glibc
#endif

/// The kernel's error of an IIO operation.
package struct IIOFault: Error, Equatable {
  /// The system's error number; 0 for an unexpected answer.
  package let code: Int32
  /// The operation, such as `reading in_magn_x_raw of iio:device0`.
  package let doing: String

  package init(code: Int32, doing: String) {
    self.code = code
    self.doing = doing
  }

  /// The kind of fault to report.
  ///
  /// EBUSY: a direct read while a buffer is enabled, or an open device. ENODEV: an open sysfs file
  /// after its driver was unbound; ENOENT: the same for a closed file. The error numbers of an
  /// unacknowledged transfer are those of the bus driver.
  /// - Source: Linux, fs/kernfs/file.c and drivers/iio/industrialio-core.c, industrialio-buffer.c.
  package var kind: BusError.Kind {
    switch code {
    case EBUSY: .inUse("another program, which has its IIO buffer on")
    case ENODEV, ENOENT: .disconnected
    case EIO, EREMOTEIO, ENXIO, ETIMEDOUT: .noAnswer
    case EACCES, EPERM, EROFS: .permissionDenied(group: "iio")
    default: .failed(doing)
    }
  }

  /// Whether only the permission is missing.
  var isForbidden: Bool { Self.isForbidden(code) }

  static func isForbidden(_ code: Int32) -> Bool { [EACCES, EPERM, EROFS].contains(code) }
}
