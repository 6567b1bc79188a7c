// SPDX-License-Identifier: Apache-2.0

extension HTTPRequest {
    /// Throws if a header, the validator or the range cannot be sent unchanged.
    func validate() throws(HTTPError) {
        if let bad = allHeaders.first(where: { !$0.isSendable }) {
            throw HTTPError(
                .protocolViolation,
                "The header \(bad.redactedName) contains an invalid character."
            )
        }
        if let ifRange, !HTTPHeader("If-Range", ifRange).isSendable {
            throw HTTPError(.protocolViolation, "The validator contains an invalid character.")
        }
        if let range, range.headerValue == nil {
            throw HTTPError(.protocolViolation, "The range of bytes is empty or out of bounds.")
        }
    }

    /// The caller's headers for the address.
    private var allHeaders: [HTTPHeader] { headers + (headersForTarget?(address) ?? []) }

    /// All header fields except the fields that libcurl adds.
    var fields: [HTTPHeader] {
        var fields = allHeaders
        if let value = range?.headerValue { fields.append(HTTPHeader("Range", value)) }
        if range != nil, let ifRange { fields.append(HTTPHeader("If-Range", ifRange)) }
        return fields
    }
}
