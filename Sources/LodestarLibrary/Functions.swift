import CLodestar
import Glibc
import HostProtocol
import Quantities

// The functions of lodestar.h.

/// The text of each thread's last failed call, which the thread owns.
private let threadError: pthread_key_t = {
  var key = pthread_key_t()
  pthread_key_create(&key) { free($0) }
  return key
}()

private func setError(_ text: String) {
  free(pthread_getspecific(threadError))
  pthread_setspecific(threadError, strdup(text))
}

/// The result of a call: that of `body`, or the fault's.
private func result(_ body: () throws(CallFault) -> Int) -> Int32 {
  do throws(CallFault) {
    return Int32(try body())
  } catch {
    setError(error.text)
    return Int32(error.code)
  }
}

private func connection(_ pointer: OpaquePointer?) throws(CallFault) -> Connection {
  guard let pointer else {
    throw CallFault(LODESTAR_ERROR_ARGUMENT, "the connection is NULL")
  }
  return Unmanaged<Connection>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

/// The caller's structure.
private struct Target<Value> {
  private let memory: UnsafeMutableRawPointer
  /// Its size, the first member.
  private let size: Int

  /// Checks the caller's structure.
  /// - Parameters:
  ///   - pointer: The structure.
  ///   - least: The size in the first version.
  /// - Throws: Where it is none of a known version.
  init(_ pointer: UnsafeMutablePointer<Value>?, least: Int) throws(CallFault) {
    guard let pointer else { throw CallFault(LODESTAR_ERROR_ARGUMENT, "the structure is NULL") }
    memory = UnsafeMutableRawPointer(pointer)
    size = memory.load(as: Int.self)
    guard size >= least else {
      throw CallFault(
        LODESTAR_ERROR_ARGUMENT, "the member 'size' is \(size): set it to the structure's sizeof")
    }
  }

  /// Copies as many bytes as both versions have; what a later caller has beyond stays as it is.
  func set(_ value: Value) {
    let head = MemoryLayout<Int>.size
    withUnsafeBytes(of: value) { bytes in
      guard let source = bytes.baseAddress else { return }
      memory.advanced(by: head).copyMemory(
        from: source.advanced(by: head), byteCount: min(size, bytes.count) - head)
    }
  }
}

/// `lodestar_abi` of lodestar.h.
@_cdecl("lodestar_abi")
public func libraryABI() -> Int32 { Int32(LODESTAR_ABI) }

/// `lodestar_error` of lodestar.h.
@_cdecl("lodestar_error")
public func lastError() -> UnsafePointer<CChar>? {
  if pthread_getspecific(threadError) == nil { setError("") }
  return UnsafePointer(pthread_getspecific(threadError)?.assumingMemoryBound(to: CChar.self))
}

/// `lodestar_open` of lodestar.h.
@_cdecl("lodestar_open")
public func openConnection(
  _ application: UnsafePointer<CChar>?, _ socket: UnsafePointer<CChar>?
) -> OpaquePointer? {
  var opened: OpaquePointer?
  _ = result { () throws(CallFault) in
    let name = application.map { String(cString: $0) } ?? ""
    guard !name.isEmpty else {
      throw CallFault(LODESTAR_ERROR_ARGUMENT, "the application has no name")
    }
    let one = try Connection(application: name, socket: socket.map { String(cString: $0) })
    opened = OpaquePointer(Unmanaged.passRetained(one).toOpaque())
    return 0
  }
  return opened
}

/// `lodestar_close` of lodestar.h.
@_cdecl("lodestar_close")
public func closeConnection(_ pointer: OpaquePointer?) {
  guard let pointer else { return }
  let one = Unmanaged<Connection>.fromOpaque(UnsafeRawPointer(pointer)).takeRetainedValue()
  one.close()
}

/// `lodestar_wait` of lodestar.h.
@_cdecl("lodestar_wait")
public func waitForNews(_ pointer: OpaquePointer?, _ milliseconds: Int32) -> Int32 {
  result { () throws(CallFault) in
    try connection(pointer).wait(milliseconds: milliseconds) ? 1 : 0
  }
}

/// `lodestar_descriptor` of lodestar.h.
@_cdecl("lodestar_descriptor")
public func newsDescriptor(_ pointer: OpaquePointer?) -> Int32 {
  result { () throws(CallFault) in Int(try connection(pointer).descriptor) }
}

/// `lodestar_read_heading` of lodestar.h.
@_cdecl("lodestar_read_heading")
public func readHeading(
  _ pointer: OpaquePointer?, _ target: UnsafeMutablePointer<lodestar_heading>?
) -> Int32 {
  result { () throws(CallFault) in
    let structure = try Target(target, least: lodestar_heading.firstSize)
    structure.set(lodestar_heading(try connection(pointer).estimate()))
    return 0
  }
}

/// `lodestar_read_fix` of lodestar.h.
@_cdecl("lodestar_read_fix")
public func readFix(
  _ pointer: OpaquePointer?, _ target: UnsafeMutablePointer<lodestar_fix>?
) -> Int32 {
  result { () throws(CallFault) in
    let structure = try Target(target, least: lodestar_fix.firstSize)
    structure.set(lodestar_fix(try connection(pointer).placedEstimate()))
    return 0
  }
}
