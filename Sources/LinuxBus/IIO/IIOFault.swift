import Bus

#if canImport(Glibc)
  import Glibc
#endif

/// What the kernel answered instead of a value, and where.
package struct IIOFault: Error, Equatable {
  /// The system's error number; 0 where the kernel answered with something else than was asked.
  package let code: Int32
  /// What was being done, such as `reading in_magn_x_raw of iio:device0`.
  package let doing: String

  package init(code: Int32, doing: String) {
    self.code = code
    self.doing = doing
  }

  /// What people are told.
  ///
  /// EBUSY is a direct reading while somebody's buffer is on, or an open device; ENODEV is what an open
  /// file of sysfs says once its driver was unbound, ENOENT what a closed one does; the numbers of a
  /// transfer that nobody acknowledged come through as the bus driver gave them.
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

  /// Whether only a right is missing.
  var isForbidden: Bool { Self.isForbidden(code) }

  static func isForbidden(_ code: Int32) -> Bool { [EACCES, EPERM, EROFS].contains(code) }
}
