// SPDX-License-Identifier: Apache-2.0

extension BusMessage {
    /// The text that it begins with.
    var text: String? { body.first?.asString }

    /// Whether it begins with a list that has this name.
    func names(_ name: String) -> Bool {
        body.first?.asStrings?.contains(name) ?? false
    }
}
