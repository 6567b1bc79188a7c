// SPDX-License-Identifier: Apache-2.0

extension ScriptFrame {
    /// The statements of an object about one subtitle or chapter file, or about one chapter.
    struct TextStatements {
        /// The kind in the words of the `track` element, such as `captions`.
        var kind = ""
        var language: String?
        /// Whether the object names the language in a way that only text tracks do.
        var hasTrackLanguage = false
        /// The start of a chapter in seconds.
        var start: Double?
        /// The addresses that look like text files, with the names of their properties.
        var files: [(reference: String, key: String)] = []
    }

    private static let kinds: Set<String> = [
        "captions", "caption", "subtitles", "subtitle", "chapters",
    ]

    /// Stores a string that describes a text file or a chapter.
    mutating func takeText(_ text: String, named key: String) {
        if key == "kind" {
            statements.kind = text.prefix(32).lowercased()
        } else if ScriptNames.languages.contains(key) {
            statements.language = statements.language ?? text
            if key == "srclang" { statements.hasTrackLanguage = true }
        } else if ScriptNames.starts.contains(key) {
            statements.start = statements.start ?? PageDuration.position(text)
        }
    }

    /// Stores an address that does not lead to media, and returns whether the address leads to
    /// text.
    mutating func takeFile(_ text: String, named key: String) -> Bool {
        let isFile = StatedTexts.isFile(text)
        if ScriptNames.transcripts.contains(key), !isFile {
            texts.hasTranscript = true
            return true
        }
        let isChapters = ScriptNames.chapters.contains(key)
        guard isFile || isChapters, statements.files.count < StatedTexts.limit else { return false }
        statements.files.append((text, key))
        return true
    }

    /// Classifies the files of an object, and decides whether the object is a chapter.
    mutating func finishTexts() {
        let isChapters = ScriptNames.chapters.contains(key)
        if !isArray, let start = statements.start {
            if isChapters, let title = title ?? label {
                texts.add(markAt: start, title)
                // The address of a chapter starts the film at the chapter.
                media = []
            }
            if ScriptNames.transcripts.contains(key) { texts.hasTranscript = true }
        }
        let isTrack = Self.kinds.contains(statements.kind) || statements.hasTrackLanguage
        if isTrack {
            statements.files += uncertain.filter { $0.format == nil }.map { ($0.text, "src") }
            uncertain = []
        }
        for file in statements.files {
            let names = [key, file.key, statements.kind, file.reference]
            if names.contains(where: StatedTexts.isForScripts) { continue }
            if isChapters || statements.kind == "chapters"
                || ScriptNames.chapters.contains(file.key)
            {
                texts.add(chapters: file.reference)
                continue
            }
            let own = media.isEmpty && statements.files.count == 1
            texts.add(
                StatedTexts.Subtitle(
                    reference: file.reference,
                    language: own && statements.language != nil
                        ? statements.language : Self.language(file.key),
                    name: own ? label ?? title : nil
                )
            )
        }
        statements.files = []
    }

    /// Returns the language if a name is a language code, as in `{ en: "/en.vtt" }`, or nil for any
    /// other name.
    private static func language(_ key: String) -> String? {
        guard !ScriptNames.addresses.contains(key), !["vtt", "srt"].contains(key),
            key.wholeMatch(of: /[a-z]{2,3}([-_][a-z0-9]{2,8})?/) != nil
        else { return nil }
        return key
    }
}
