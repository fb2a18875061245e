import CCurl
import Foundation

/// libcurl, which stays for the life of the process once it is loaded.
package struct CurlLibrary: @unchecked Sendable {
  /// Debian's libcurl4, else its build with GnuTLS, which other packages bring.
  package static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

  private static let lock = NSLock()
  nonisolated(unsafe) private static var loaded: [String: CurlLibrary] = [:]

  /// The functions, which nobody writes to.
  let functions: OpaquePointer

  /// Loads libcurl where that has not happened. What is missing is looked for again the next time.
  /// - Parameter names: The names to look for, the first that is there.
  /// - Throws: `libraryMissing` where there is none of them.
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
