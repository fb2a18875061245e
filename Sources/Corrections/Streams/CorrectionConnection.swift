import Chips
import LinuxIO
import Quantities

/// A bidirectional byte connection; no call blocks beyond a deadline.
protocol CorrectionConnection: AnyObject {
  /// Waits for bytes and reads them; 0 at the deadline.
  func read(into bytes: inout [UInt8], until deadline: Timestamp) throws(NetworkError) -> Int
  /// Writes the bytes that are accepted at once, and returns their number.
  func write(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int
}

extension StreamSocket: CorrectionConnection {}
extension TLSSocket: CorrectionConnection {}

/// The content of a source, as it arrives.
protocol CorrectionStream: AnyObject {
  /// Waits for bytes and moves them to `body`; none at the deadline.
  /// - Throws: `.closed` at the end.
  func read(into body: inout [UInt8], until deadline: Timestamp) throws(CorrectionFault)
  /// Sends a sentence with the receiver's position, never waiting.
  func send(_ sentence: [UInt8]) throws(CorrectionFault)
}

extension NTRIPConnection: CorrectionStream {}

/// A program on the network that sends without a request.
final class NetworkStream: CorrectionStream {
  private static let connectTimeout = 10.0

  private let socket: StreamSocket

  init(host: String, port: Int, isStopped: () -> Bool) throws(CorrectionFault) {
    do throws(NetworkError) {
      socket = try StreamSocket(
        host: host, port: port,
        until: MonotonicClock.now.advanced(bySeconds: Self.connectTimeout), isStopped: isStopped)
    } catch {
      throw error.kind == .stopped ? .stopped : .network(error)
    }
  }

  func read(into body: inout [UInt8], until deadline: Timestamp) throws(CorrectionFault) {
    body = [UInt8](repeating: 0, count: 4096)
    let count: Int
    do throws(NetworkError) {
      count = try socket.read(into: &body, until: deadline)
    } catch {
      throw error.kind == .closed ? .closed : .network(error)
    }
    body.removeLast(body.count - count)
  }

  /// Nothing is sent to it.
  func send(_ sentence: [UInt8]) {}
}

/// A radio modem or a base station at a serial port.
final class SerialStream: CorrectionStream {
  private let port: LinuxSerialPort

  init(path: String, baud: Int) throws(CorrectionFault) {
    do throws(BusError) {
      port = try LinuxSerialPort(path: path, baud: baud)
    } catch {
      throw .port(error)
    }
  }

  func read(into body: inout [UInt8], until deadline: Timestamp) throws(CorrectionFault) {
    body = [UInt8](repeating: 0, count: 4096)
    // A typed error does not pass through the standard library's closures.
    let result = body.withUnsafeMutableBytes { bytes -> Result<Int, BusError> in
      do throws(BusError) {
        return .success(try port.read(into: bytes, until: deadline))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let count): body.removeLast(body.count - count)
    case .failure(let error): throw .port(error)
    }
  }

  /// Nothing is sent to it.
  func send(_ sentence: [UInt8]) {}
}
