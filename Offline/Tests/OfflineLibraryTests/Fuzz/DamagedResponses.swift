// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP
import TidingsTestFixtures

/// A server that sends damaged responses, and the client of downloads.
struct DamagedResponses {
    /// Responses with the body `hello`.
    static let examples = [
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;a=b\r\nllo\r\n"
            + "0\r\nTrailer: 1\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 206 Partial Content\r\n"
            + "Content-Range: bytes 7-11/40\r\nContent-Length: 5\r\nETag: \"1\"\r\n\r\nhello",
        "HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\nhello",
        "HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 5\r\n\r\nhello",
    ]

    private let origin: OriginServer
    private let request: HTTPRequest
    private let client = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)

    init() throws {
        origin = try OriginServer()
        request = HTTPRequest(try origin.address("/a"))
    }

    /// Fetches a damaged form of each example and expects that the client reads or refuses the
    /// form.
    func read(seed: UInt64) async throws {
        var mutations = Mutations(seed: seed)
        for example in Self.examples {
            let response = mutations.damaged(Array(example.utf8))
            try await serve(response)
            do throws(HTTPError) {
                let body = try await fetch()
                #expect(body.count <= response.count)
            } catch {
                #expect([.protocolViolation, .cut, .tooLarge].contains(error.code), "\(error)")
            }
        }
    }

    /// Removes the log of the server.
    func clear() async throws { try await origin.reset() }

    /// Sets the bytes of the next response.
    func serve(_ response: [UInt8]) async throws {
        let text = String(String.UnicodeScalarView(response.map { Unicode.Scalar($0) }))
        try await origin.serve(["/a": ["raw": .text(text)]])
    }

    /// Returns the body that the client reads.
    func fetch() async throws(HTTPError) -> [UInt8] {
        let (transfer, body) = try await client.fetch(request, limit: 1 << 20)
        #expect(transfer.bodyBytes == Int64(body.count))
        if transfer.bodyEnd == .length {
            #expect(transfer.head.contentLength == Int64(body.count))
        }
        return body
    }
}
