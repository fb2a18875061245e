import CCurl
import Synchronization

/// libcurl; stays loaded until the process ends.
package struct CurlLibrary: @unchecked Sendable {
  // Unchecked because of the pointer; the table of functions behind it never changes.
  let functions: OpaquePointer

  /// Debian's libcurl4, else its build with GnuTLS, which other packages install.
  package static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

  private static let loaded = Mutex<[String: CurlLibrary]>([:])

  /// Loads libcurl if it is not loaded. A missing library is searched again at the next call.
  /// - Parameter names: The file names to try, in order.
  /// - Throws: `libraryMissing` if none can be loaded.
  package init(names: [String]) throws(WiFiError) {
    let found: CurlLibrary? = Self.loaded.withLock { loaded in
      for name in names {
        if let known = loaded[name] { return known }
        if let functions = ccurl_load(name) {
          let library = CurlLibrary(functions: functions)
          loaded[name] = library
          return library
        }
      }
      return nil
    }
    guard let found else { throw WiFiError(.libraryMissing) }
    self = found
  }

  private init(functions: OpaquePointer) { self.functions = functions }
}
