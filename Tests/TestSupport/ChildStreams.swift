import CLinuxIO
import Foundation
import LinuxIO

/// Foundation's pipes and handles as streams of a child.
extension FileHandle: ChildStream {
  package func descriptor(isInput: Bool) -> Int32 {
    self === FileHandle.nullDevice ? Int32(LINUXBUS_SPAWN_NULL) : fileDescriptor
  }
  package func closeChildEnd(isInput: Bool) {}
}

extension Pipe: ChildStream {
  private func childEnd(isInput: Bool) -> FileHandle {
    isInput ? fileHandleForReading : fileHandleForWriting
  }
  package func descriptor(isInput: Bool) -> Int32 { childEnd(isInput: isInput).fileDescriptor }
  package func closeChildEnd(isInput: Bool) {
    // The same pipe may be output and error, and is closed already.
    do { try childEnd(isInput: isInput).close() } catch { _ = error }
  }
}
