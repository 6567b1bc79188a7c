// SPDX-License-Identifier: Apache-2.0

/// The text of a title, which many feeds write as markup.
enum FeedText {
    /// Returns the text without markup and character references.
    ///
    /// A string without markup and character references stays unchanged: `a < b` is not markup.
    static func plain(_ text: String) -> String {
        guard text.firstMatch(of: /<[A-Za-z\/!]|&#?[A-Za-z0-9]+;/) != nil else { return text }
        let collector = Collector()
        HTMLReader.read(text, into: collector)
        return String(decoding: collector.bytes, as: UTF8.self)
    }

    /// Returns the text without leading and trailing white space.
    static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    private final class Collector: HTMLHandler {
        var bytes: [UInt8] = []
        var readsText: Bool { !isScript }
        private var isScript = false

        func start(_ name: String, _ attributes: [String: String]) {
            isScript = name == "script" || name == "style"
            bytes.append(contentsOf: name == "br" || name == "p" ? " ".utf8 : "".utf8)
        }

        func end(_ name: String) { isScript = false }

        func text(_ text: UnsafeRawBufferPointer) { bytes.append(contentsOf: text) }
    }
}
