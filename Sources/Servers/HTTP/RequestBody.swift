import FlyingFox
import FlyingSocks
import Foundation

/// The content of requests, and the end of a connection whose request is too long.
enum RequestBody {
  /// Limit of a request's content, bytes.
  static let mostBytes = 4096

  /// Reads the whole content, so that none of it is taken for the next request.
  /// - Returns: nil where it is longer than the limit.
  static func read(_ request: HTTPRequest) async throws -> Data? {
    guard request.bodySequence.count ?? 0 <= mostBytes else { return nil }
    var content = Data()
    for try await part in request.bodySequence {
      content.append(part)
      guard content.count <= mostBytes else { return nil }
    }
    return content
  }

  /// A content after which the library closes the connection.
  static func last(_ content: Data) -> HTTPBodySequence {
    HTTPBodySequence(from: LastBytes(content: Array(content)), count: content.count)
  }

  /// Bytes that end with an error.
  private struct LastBytes: AsyncBufferedSequence {
    typealias Element = UInt8
    let content: [UInt8]

    func makeAsyncIterator() -> Iterator { Iterator(rest: content) }

    struct Iterator: AsyncBufferedIteratorProtocol {
      var rest: [UInt8]

      mutating func next() async throws -> UInt8? {
        guard !rest.isEmpty else { throw SocketError.disconnected }
        return rest.removeFirst()
      }

      mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
        guard !rest.isEmpty else { throw SocketError.disconnected }
        defer { rest = [] }
        return rest
      }
    }
  }
}
