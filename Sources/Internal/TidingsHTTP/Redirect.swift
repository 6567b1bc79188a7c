// SPDX-License-Identifier: Apache-2.0

/// The rules for following redirects.
enum Redirect {
    /// Returns whether a response is a redirect with a target.
    static func isRedirect(_ head: HTTPResponseHead) -> Bool {
        [301, 302, 303, 307, 308].contains(head.status) && head.headers.first("Location") != nil
    }

    /// Returns the request to the redirect target.
    ///
    /// A different origin gets neither the caller's headers nor a body. A 303, and a 301 or 302 of
    /// a POST, change the method to GET.
    ///
    /// - Throws: `invalidAddress` or `unsupportedScheme` for a target that cannot be fetched, or
    ///   `protocolViolation` for a body that would be sent to another origin.
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
                "\(head.address.redacted) redirects to an address that cannot be fetched."
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
                    "\(head.address.redacted) redirects a request with a body to another server."
                        + " Send it to \(next.address.redacted) directly if that is intended."
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
