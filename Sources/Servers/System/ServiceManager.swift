import Glibc
import LinuxIO
import Quantities
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Notifications to the service manager: datagrams to the socket in `$NOTIFY_SOCKET`; none without
/// one.
///
/// - Source: sd_notify(3): `KEY=value` lines in one datagram; a name that begins with `@` is
///   abstract.
package final class ServiceManager: Sendable {
  private let address: UnixAddress?
  private let file: Int32
  private let status = Mutex("")

  /// The watchdog's timeout, seconds; nil without a watchdog.
  package let watchdogSeconds: Double?

  package init(environment: [String: String]) {
    let name = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    do throws(NetworkError) {
      address = try name.map { (name) throws(NetworkError) in try UnixAddress(name: name) }
    } catch {
      address = nil
    }
    let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    file = address == nil ? -1 : socket(AF_UNIX, kind, 0)
    // sd_watchdog_enabled(3): `WATCHDOG_PID` names the process that the watchdog is for.
    let isMine = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { UInt64($0) } ?? 0
    watchdogSeconds = isMine && microseconds > 0 ? Double(microseconds) * 1e-6 : nil
  }

  deinit { if file >= 0 { close(file) } }

  /// The daemon is ready.
  package func ready() { send("READY=1") }
  /// The daemon stops.
  package func stopping() { send("STOPPING=1") }
  /// The daemon works.
  package func alive() { send("WATCHDOG=1") }

  /// The daemon reads its files again; `ready` reports the end.
  package func reloading() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let microseconds = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
    send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
  }

  /// Sets the text in `systemctl status`; sent only when it changes. The text may be that of
  /// another program: it must not add lines to the notification.
  package func report(status text: String) {
    let new = String(printable: text, atMost: String.longestMessage)
    let isNew = status.withLock { status in
      defer { status = new }
      return status != new
    }
    if isNew { send("STATUS=\(new)") }
  }

  private func send(_ text: String) {
    guard let address, file >= 0 else { return }
    let bytes = Array(text.utf8)
    _ = address.withPointer { sendto(file, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
  }
}
