import CCurl
import Foundation

/// libcurl; stays loaded until the process ends.
package struct CurlLibrary: @unchecked Sendable {
  /// Debian's libcurl4, else its build with GnuTLS, which other packages install.
  package static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

  private static let lock = NSLock()
  nonisolated(unsafe) private static var loaded: [String: CurlLibrary] = [:]

  /// The functions; read only.
  let functions: OpaquePointer

  /// Loads libcurl if it is not loaded. A missing library is searched again at the next call.
  /// - Parameter names: The file names to try, in order.
  /// - Throws: `libraryMissing` if none can be loaded.
  package init(names: [String]) throws(WiFiError) {
    Self.lock.lock()
    defer { Self.lock.unlock() }
    for name in names {
      if let known = Self.loaded[name] {
        self = known
        return
      }
      if let functions = ccurl_load(name) {
        self.functions = functions
        Self.loaded[name] = self
        return
      }
    }
    throw WiFiError(.libraryMissing)
  }
}
