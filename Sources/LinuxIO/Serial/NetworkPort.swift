import Chips
import Quantities

/// Sentences of the network in place of a serial port: those of a TCP server, or datagrams. Nothing
/// is ever sent.
package final class NetworkPort: SerialPort {
  /// Timeout of an attempt to connect, seconds.
  private static let connectTimeout = 5.0
  /// Silence after which the port has a fault, seconds: a server that sends nothing may have lost
  /// its own source.
  private static let longestSilence = 30.0

  package let name: String
  package let baud = 0
  private let stream: StreamSocket?
  private let datagrams: DatagramReceiver?
  private var bytes = [UInt8](repeating: 0, count: 4096)
  /// The rest of a datagram.
  private var rest: ArraySlice<UInt8> = []
  private var lastByte = MonotonicClock.now

  /// Connects to a server.
  /// - Parameters:
  ///   - host: A name or an address.
  ///   - port: The server's.
  ///   - name: The name for messages.
  /// - Throws: `BusError`.
  package init(host: String, port: Int, name: String) throws(BusError) {
    self.name = name
    datagrams = nil
    do throws(NetworkError) {
      let deadline = MonotonicClock.now.advanced(bySeconds: Self.connectTimeout)
      let stream = try StreamSocket(host: host, port: port, until: deadline)
      if stream.isOwnServer { throw NetworkError(.ownServer, peer: stream.peer) }
      self.stream = stream
    } catch {
      throw BusError(error, name)
    }
  }

  /// Receives datagrams.
  /// - Parameters:
  ///   - address: An address of this machine; nil for all of its IPv4 addresses.
  ///   - port: The port; for 0 the kernel chooses one.
  ///   - name: The name for messages.
  /// - Throws: `BusError`.
  package init(address: String?, port: Int, name: String) throws(BusError) {
    self.name = name
    stream = nil
    do throws(NetworkError) {
      datagrams = try DatagramReceiver(address: address, port: port)
    } catch {
      throw BusError(error, name)
    }
  }

  /// The port of datagrams.
  package var port: Int? { datagrams?.port }

  /// Does nothing: there is no line.
  package func setBaud(_ baud: Int) {}

  package func read(
    into destination: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(BusError) -> Int {
    do throws(NetworkError) {
      if rest.isEmpty {
        if let stream {
          let count = try stream.read(into: &bytes, until: deadline)
          rest = bytes[..<count]
        } else if let datagrams {
          rest = try datagrams.next(until: deadline)
        }
      }
    } catch {
      throw BusError(error, name)
    }
    let now = MonotonicClock.now
    guard !rest.isEmpty else {
      guard now.seconds(since: lastByte) < Self.longestSilence else {
        throw BusError(
          .network(
            "no data for \(Int(bounded: Self.longestSilence)) s; check that NMEA 0183 is sent there"
          ),
          device: name)
      }
      return 0
    }
    lastByte = now
    let part = rest.prefix(destination.count)
    destination.copyBytes(from: part)
    rest = rest.dropFirst(part.count)
    return part.count
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(BusError) {
    throw BusError(.unsupported("the port can only be read"), device: name)
  }
}

extension BusError {
  fileprivate init(_ error: NetworkError, _ name: String) {
    self.init(.network(error.reason), device: name)
  }
}
