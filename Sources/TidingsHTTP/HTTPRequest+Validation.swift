// SPDX-License-Identifier: Apache-2.0

extension HTTPRequest {
    /// Refuses what could not be sent as it is meant.
    func validate() throws(HTTPError) {
        if let bad = headers.first(where: { !$0.isSendable }) {
            throw HTTPError(
                .protocolViolation,
                "The header \(bad.redactedName) holds a character that headers must not hold."
            )
        }
        if let ifRange, !HTTPHeader("If-Range", ifRange).isSendable {
            throw HTTPError(.protocolViolation, "The validator is not one a server can have sent.")
        }
        if let range, range.headerValue == nil {
            throw HTTPError(.protocolViolation, "The range of bytes is empty or out of bounds.")
        }
    }

    /// All fields that are sent besides those libcurl makes itself.
    var fields: [HTTPHeader] {
        var fields = headers
        if let value = range?.headerValue { fields.append(HTTPHeader("Range", value)) }
        if range != nil, let ifRange { fields.append(HTTPHeader("If-Range", ifRange)) }
        return fields
    }
}
