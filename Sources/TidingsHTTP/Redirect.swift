// SPDX-License-Identifier: Apache-2.0

/// What a redirect makes of a request.
enum Redirect {
    /// Whether the answer sends the client elsewhere.
    static func isRedirect(_ head: HTTPResponseHead) -> Bool {
        [301, 302, 303, 307, 308].contains(head.status) && head.headers.first("Location") != nil
    }

    /// Returns the request for the next hop.
    ///
    /// Another origin gets neither the caller's headers nor a body. 303, and 301 or 302 of a POST,
    /// become GET.
    ///
    /// - Throws: `invalidAddress` or `unsupportedScheme` for a target that is not fetched,
    ///   `protocolViolation` for a body that would cross to another origin.
    static func next(
        _ request: HTTPRequest,
        after head: HTTPResponseHead
    )
        throws(HTTPError) -> HTTPRequest
    {
        guard let location = head.headers.first("Location") else { return request }
        var next = request
        do {
            next.address = try head.address.resolving(location)
        } catch {
            throw HTTPError(
                error.code,
                "\(head.address.redacted) sends on to an address that is not fetched."
                    + " \(error.message)",
                cause: error
            )
        }
        if becomesGet(request.method, head.status) {
            next.method = .get
            next.body = nil
        }
        if next.address.origin != request.address.origin {
            next.headers = []
            guard next.body == nil else {
                throw HTTPError(
                    .protocolViolation,
                    "\(head.address.redacted) sends what was posted on to another server;"
                        + " post to \(next.address.redacted) if that is meant."
                )
            }
        }
        return next
    }

    private static func becomesGet(_ method: HTTPRequest.Method, _ status: Int) -> Bool {
        switch status {
        case 303: method != .get && method != .head
        case 301, 302: method == .post
        default: false
        }
    }
}
