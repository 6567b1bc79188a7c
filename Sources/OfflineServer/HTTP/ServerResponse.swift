import Foundation
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// One answer as a value; the server adds what every answer carries.
struct ServerResponse: Sendable {
    /// What follows the head.
    enum Body: Sendable {
        case bytes([UInt8])
        /// Part of an open file, sent without passing through this process's memory.
        case file(OpenFile, offset: Int64, length: Int64)
        /// Server-sent events until one side ends them.
        case events(EventStream)
    }

    var status: Int
    var headers: [(name: String, value: String)]
    var body: Body

    init(_ status: Int, headers: [(String, String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers.map { (name: $0.0, value: $0.1) }
        self.body = body
    }

    /// Returns the first value of a header.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Makes an answer of fixed bytes and a fixed media type.
    static func bytes(
        _ bytes: [UInt8],
        type: String,
        status: Int = 200,
        cache: String = "no-store"
    ) -> ServerResponse {
        ServerResponse(
            status,
            headers: [("Content-Type", type), ("Cache-Control", cache)],
            body: .bytes(bytes)
        )
    }

    /// Makes an answer of a value as JSON.
    static func json(_ value: some Encodable, status: Int = 200) -> ServerResponse {
        bytes(JSONCoding.encode(value), type: "application/json; charset=utf-8", status: status)
    }

    /// Makes an error answer that says what to do.
    static func failure(_ status: Int, _ code: String, _ message: String) -> ServerResponse {
        json(FailureJSON(error: .init(code: code, message: message)), status: status)
    }

    /// Server-sent events, until either side ends them.
    static func events(of stream: EventStream) -> ServerResponse {
        ServerResponse(
            200,
            headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
            body: .events(stream)
        )
    }

    /// The answer to an address that nothing stands behind.
    static var notFound: ServerResponse {
        failure(404, "notFound", "There is nothing at this address.")
    }

    /// What the page may load: its own files, no inline script or style, in nobody's frame.
    static let contentSecurityPolicy =
        "default-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'; "
        + "frame-ancestors 'none'"

    /// The headers that every answer carries, whoever made it.
    static let commonHeaders: [(name: String, value: String)] = [
        ("Content-Security-Policy", contentSecurityPolicy),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
}

/// `{"error":{"code":…,"message":…}}`.
struct FailureJSON: Codable, Sendable, Equatable {
    struct Detail: Codable, Sendable, Equatable {
        var code: String
        var message: String
    }

    var error: Detail
}

/// The one way in which this server writes and reads JSON: ISO 8601 dates, stable order of keys.
enum JSONCoding {
    /// Returns the value as UTF-8 JSON; an empty object if it cannot be written, which only a
    /// number that is not finite could cause.
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        return (try? encoder.encode(value)).map { [UInt8]($0) } ?? [0x7B, 0x7D]
    }

    /// Reads a request's body; an empty one reads as an object without members.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8]
    ) throws(ServerError) -> Value {
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(type, from: Data(body.isEmpty ? [0x7B, 0x7D] : body))
        } catch {
            throw ServerError(
                .badRequest,
                "The body is not the JSON object that this address takes; see Documentation/API.md.",
                cause: error
            )
        }
    }
}
