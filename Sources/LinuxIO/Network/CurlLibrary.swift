import CCurl
import Synchronization

/// libcurl; stays loaded until the process ends.
package struct CurlLibrary: @unchecked Sendable {
  // Unchecked because of the pointer; the table of functions behind it never changes.
  /// The functions, for `CCurl`.
  package let functions: OpaquePointer

  /// libcurl is not installed.
  package struct Missing: Error, Equatable, CustomStringConvertible {
    /// The fault and the remedy.
    package var description: String { "libcurl.so.4 is not installed; sudo apt install libcurl4" }
    /// Makes the error.
    package init() {}
  }

  /// Debian's libcurl4, else its build with GnuTLS, which other packages install.
  package static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

  private static let loaded = Mutex<[String: CurlLibrary]>([:])

  /// Loads libcurl if it is not loaded. A missing library is searched again at the next call.
  /// - Parameter names: The file names to try, in order.
  /// - Throws: `Missing` if none can be loaded.
  package init(names: [String] = Self.names) throws(Missing) {
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
    guard let found else { throw Missing() }
    self = found
  }

  private init(functions: OpaquePointer) { self.functions = functions }
}
