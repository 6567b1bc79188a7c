// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
extension BusMessage {
    /// The first value, or nil if the value is not a string.
    var text: String? { body.first?.asString }

    /// Returns whether the first value is a list of strings that contains a name.
    func names(_ name: String) -> Bool {
        body.first?.asStrings?.contains(name) ?? false
    }
}
#endif
