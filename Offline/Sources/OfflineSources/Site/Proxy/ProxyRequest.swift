// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The first request on a connection to the proxy.
struct ProxyRequest: Hashable {
    /// The maximum size of the head in bytes.
    static let headLimit = 64 << 10

    /// The reason why the proxy does not pass on a request.
    enum Refusal: Error, Hashable {
        case invalid
        case unauthorized
        case forbidden

        /// The status line's number and reason.
        var status: String {
            switch self {
            case .invalid: "400 Bad Request"
            case .unauthorized: "407 Proxy Authentication Required"
            case .forbidden: "403 Forbidden"
            }
        }
    }

    /// The server to connect to.
    let address: WebAddress
    /// The head for the server, or nil for a tunnel, through which the child talks to the server
    /// directly.
    let forwardedHead: [UInt8]?

    /// The fields that concern one connection only, and the host, which the address states.
    private static let dropped: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "trailer",
        "upgrade", "host",
    ]

    /// Parses a head without the empty line at the end.
    ///
    /// - Parameters:
    ///   - head: The bytes.
    ///   - credential: The value that the field `Proxy-Authorization` must have.
    /// - Throws: `Refusal`.
    init(_ head: some Collection<UInt8>, credential: String) throws(Refusal) {
        let text = String(decoding: head, as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard lines.allSatisfy({ line in line.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 } }),
            let first = lines.first
        else { throw .invalid }
        let words = first.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1."),
            !words[0].isEmpty, words[0].utf8.allSatisfy(Self.isUppercase)
        else { throw .invalid }
        let fields = try lines.dropFirst().map { line throws(Refusal) in try Field(line) }
        guard fields.contains(where: { $0.name == "proxy-authorization" && $0.value == credential })
        else { throw .unauthorized }
        if words[0] == "CONNECT" {
            guard !words[1].contains("/"), !words[1].contains("?"),
                let address = try? WebAddress("https://\(words[1])/")
            else { throw .invalid }
            self.address = address
            forwardedHead = nil
        } else {
            guard let address = try? WebAddress(String(words[1])) else { throw .invalid }
            // An encrypted request must use a tunnel.
            guard address.scheme == "http" else { throw .forbidden }
            self.address = address
            let host = "\(address.host)\(address.port == 80 ? "" : ":\(address.port)")"
            let target = address.path + (address.query.map { "?\($0)" } ?? "")
            let kept = fields.filter { !Self.dropped.contains($0.name) }.map(\.line)
            // The server ends the connection, so that each connection belongs to one server.
            let result =
                ["\(words[0]) \(target) HTTP/1.1", "Host: \(host)"] + kept + ["Connection: close"]
            forwardedHead = Array((result.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        }
    }

    private static func isUppercase(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}

/// A header field with its line.
private struct Field {
    let name: String
    let value: Substring
    let line: String

    init(_ line: Substring) throws(ProxyRequest.Refusal) {
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
            line[..<colon].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { throw .invalid }
        name = line[..<colon].lowercased()
        let rest = line[line.index(after: colon)...]
        value = rest.drop { $0 == " " || $0 == "\t" }
        self.line = String(line)
    }
}
