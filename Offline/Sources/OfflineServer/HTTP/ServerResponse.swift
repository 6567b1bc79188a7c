// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// One response as a value; the server adds `commonHeaders`.
struct ServerResponse: Sendable {
    /// The content of a response.
    enum Body: Sendable {
        case bytes([UInt8])
        /// A part of an open file, sent by the kernel without a copy in this process.
        case file(OpenFile, offset: Int64, length: Int64)
        /// Server-sent events until the server or the client ends the stream.
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

    /// Returns a response with these bytes and this media type.
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

    /// Returns a response with the value as JSON.
    static func json(_ value: some Encodable, status: Int = 200) -> ServerResponse {
        bytes(JSONCoding.encode(value), type: "application/json; charset=utf-8", status: status)
    }

    /// Returns an error response; `message` states the fault and the remedy.
    static func failure(_ status: Int, _ code: String, _ message: String) -> ServerResponse {
        json(FailureJSON(error: .init(code: code, message: message)), status: status)
    }

    /// Returns a response with server-sent events.
    static func events(of stream: EventStream) -> ServerResponse {
        ServerResponse(
            200,
            headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
            body: .events(stream)
        )
    }

    /// The response to a removal that has nothing to return.
    static var noContent: ServerResponse {
        ServerResponse(204, headers: [("Cache-Control", "no-store")])
    }

    /// The response to an unknown path.
    static var notFound: ServerResponse {
        failure(
            404,
            "notFound",
            "There is nothing at this address. Check the path and the method of the request."
        )
    }

    /// Lets the page load this server's files only, without inline scripts or styles, and forbids
    /// frames around it.
    static let contentSecurityPolicy =
        "default-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'; "
        + "frame-ancestors 'none'"

    /// The headers of every response that does not set them itself.
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

/// The server's JSON format: ISO 8601 dates and sorted keys.
enum JSONCoding {
    /// Returns the value as UTF-8 JSON; an empty object if the encoder throws.
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

    /// Decodes a request's body; an empty body counts as an empty object.
    ///
    /// - Throws: `ServerError` with `.badRequest`.
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
                "The body is not the JSON object that this address expects. "
                    + "Compare it with Offline/Documentation/API.md.",
                cause: error
            )
        }
    }
}
