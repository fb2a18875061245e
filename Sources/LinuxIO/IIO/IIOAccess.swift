#if canImport(Glibc)
  import Glibc
#endif

/// How the samples of a kernel's device are read.
public enum IIOAccess: Equatable, Sendable {
  /// From the kernel's buffer: whole scans with the kernel's stamps.
  case buffered
  /// One by one through sysfs, which takes a driver that measures for each read several periods;
  /// with what would enable the buffer, nil where the driver has none.
  case direct(remedy: String?)

  /// Finds out without a write.
  init(_ node: IIONode, channel: String) {
    let channel = node.has("\(channel)_raw") ? channel : "in_anglvel_x"
    guard !node.has("in_pressure_input"),
      node.has("buffer0/\(channel)_en") || node.has("scan_elements/\(channel)_en")
    else {
      self = .direct(remedy: nil)
      return
    }
    let enable = node.has("buffer0/enable") ? "buffer0/enable" : "buffer/enable"
    if IIOTrigger.isMissing(for: node) {
      self = .direct(
        remedy: "sudo modprobe iio-trig-hrtimer && sudo mkdir "
          + "/sys/kernel/config/iio/triggers/hrtimer/\(IIOTrigger.timerPrefix)0")
    } else if access(node.device, R_OK) != 0 || access(node.path(enable), W_OK) != 0 {
      self = .direct(
        remedy: "write access to \(node.folder) and \(node.device), which the udev rules of "
          + "Lodestar's package give to the group i2c")
    } else {
      self = .buffered
    }
  }

  /// For `lodestar probe`.
  public var description: String {
    switch self {
    case .buffered: "from the kernel's buffer"
    case .direct(nil): "read one by one, as its driver has no buffer"
    case .direct(let remedy?): "read one by one; the kernel's buffer needs: \(remedy)"
    }
  }
}
