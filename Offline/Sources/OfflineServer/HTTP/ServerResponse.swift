// SPDX-License-Identifier: Apache-2.0
import OfflineAPI

/// One response as a value.
///
/// The server adds `commonHeaders`.
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
        json(JSONCoding.encode(value), status: status)
    }

    /// Returns a response with JSON.
    static func json(_ content: [UInt8], status: Int) -> ServerResponse {
        bytes(content, type: "application/json; charset=utf-8", status: status)
    }

    /// Returns an error response.
    ///
    /// `message` states the fault and the remedy.
    static func failure(_ status: Int, _ code: String, message: String) -> ServerResponse {
        json(FailureJSON(code: code, message: message), status: status)
    }

    /// Returns a response with server-sent events.
    static func events(of stream: EventStream) -> ServerResponse {
        ServerResponse(
            200,
            headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
            body: .events(stream)
        )
    }

    /// Returns the response to an error.
    static func failure(_ error: any Error) -> ServerResponse {
        let (status, code, message) = FailureJSON.parts(of: error)
        return failure(status, code, message: message)
    }

    /// Returns the response to a known path with another method.
    static func wrongMethod(_ method: String, allowed methods: [String]) -> ServerResponse {
        let names = Set(methods).union(["OPTIONS"]).sorted().joined(separator: ", ")
        var response =
            method == "OPTIONS"
            ? noContent(204)
            : failure(
                405,
                "methodNotAllowed",
                message: "This address does not support the method. Use one of: \(names)."
            )
        response.headers.append(("Allow", names))
        return response
    }

    /// Returns a response without content.
    static func noContent(_ status: Int) -> ServerResponse {
        ServerResponse(status, headers: [("Cache-Control", "no-store")])
    }

    /// Lets the page load only this server's files, without inline scripts or styles, and forbids
    /// frames around the page.
    ///
    /// The addresses `blob:` belong to media that the page itself has stored in the browser.
    static let contentSecurityPolicy =
        "default-src 'self'; img-src 'self' blob:; media-src 'self' blob:; base-uri 'none'; "
        + "form-action 'self'; object-src 'none'; frame-ancestors 'none'"

    /// The headers of every response that does not set the same headers itself.
    static let commonHeaders: [(name: String, value: String)] = [
        ("Content-Security-Policy", contentSecurityPolicy),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
}
