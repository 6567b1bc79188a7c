// SPDX-License-Identifier: Apache-2.0

extension RedactingWriter {
    /// Returns the end of a run's standard error, redacted and then cut, or nil without any.
    func newestLines(of text: [UInt8]) -> String? {
        guard !text.isEmpty else { return nil }
        var text = text[...]
        if text.count >= RunLayout.textSize {
            // The buffer has overwritten earlier text, which may have marked the rest of this line
            // as a secret.
            let line = text.firstIndex(of: UInt8(ascii: "\n"))
            let cut = line ?? text.firstIndex(of: UInt8(ascii: " "))
            text = cut.map { text[($0 + 1)...] } ?? []
        }
        let whole = String(decoding: text, as: UTF8.self)
        return tail(of: whole, limit: Self.standardErrorLimit)
    }
}
