// SPDX-License-Identifier: Apache-2.0

/// The statements of one object of a script.
struct ScriptFrame {
    var isArray = false
    /// The name of the object, in lowercase.
    var key = ""
    /// Whether the media belong to the group around the object.
    var sharesGroup = false
    var isDecoration = false
    var media: [PageFindings.Finding] = []
    var title: String?
    var picture: String?
    var duration: Double?
    /// The subtitles and chapters of the object and of nested objects.
    var texts = StatedTexts()
    /// The number of groups before the object.
    var firstGroup = 0
    var label: String?
    var statements = TextStatements()
    /// The addresses that are media only if the object states so, with the format of the name.
    var uncertain: [(text: String, format: PageMedia.Format?)] = []

    private var schema = ""
    private var type: String?
    private var height: Int?

    /// Stores a string with a name, and returns the finding if the string is the address of media.
    mutating func take(_ text: String, named key: String) -> PageFindings.Finding? {
        switch key {
        case "@type": schema += text.lowercased() + " "
        case "type", "mimetype", "mime", "mime_type", "contenttype", "encodingformat", "format":
            type = text
        case "label", "quality", "res", "resolution", "height", "size", "qualitylabel", "name_hd":
            label = label ?? text
            height = height ?? PageMedia.height(inLabel: text)
        case "title", "name", "headline": if title == nil { title = String(text.prefix(512)) }
        case "duration", "duration_ms", "length": duration = duration ?? PageDuration.seconds(text)
        default: break
        }
        takeText(text, named: key)
        if ScriptNames.pictures.contains(key), !isArray { picture = picture ?? text }
        if takeList(text) { return nil }
        guard Self.isAddress(text) else { return nil }
        if let finding = PageFindings.Finding(text), media.count < PageFindings.limit {
            media.append(finding)
            return finding
        }
        if takeFile(text, named: key) { return nil }
        if let format = ScriptNames.formats[key] {
            uncertain.append((text, format))
        } else if ScriptNames.addresses.contains(key) {
            uncertain.append((text, nil))
        }
        return nil
    }

    /// Stores the media or the subtitles of a list of addresses, and returns whether there are any.
    private mutating func takeList(_ text: String) -> Bool {
        var isTaken = false
        for (label, reference) in LabeledAddresses.list(text) where Self.isAddress(reference) {
            if let finding = PageFindings.Finding(reference, label: label) {
                if media.count < PageFindings.limit { media.append(finding) }
                isTaken = true
            } else if StatedTexts.isFile(reference) {
                let subtitle = StatedTexts.Subtitle(reference: reference, name: label)
                if !StatedTexts.isForScripts(key) { texts.add(subtitle) }
                isTaken = true
            }
        }
        return isTaken
    }

    /// Stores a number or a word without quotation marks.
    mutating func take(number word: String, named key: String) {
        guard let number = Double(word), number.isFinite else { return }
        switch key {
        case "height", "res", "resolution", "quality", "label", "size":
            height = height ?? ((100...4_400).contains(number) ? Int(number) : nil)
        case "duration", "length": duration = duration ?? (number > 0 ? number : nil)
        default:
            if ScriptNames.starts.contains(key), number >= 0 {
                statements.start = statements.start ?? number
            }
        }
    }

    /// Classifies the uncertain addresses, and applies the quality of the object.
    mutating func finishAddresses(isStructuredData: Bool) {
        guard !uncertain.isEmpty || !media.isEmpty else { return }
        let declared = type.flatMap(PageMedia.Format.init(type:))
        let isMedia =
            !schema.isEmpty
            && ["video", "audio", "podcast", "mediaobject"].contains(where: schema.contains)
        for (text, format) in uncertain {
            let assumed: PageMedia.Format? =
                if isMedia, format == .video { schema.contains("audio") ? .audio : .video } else {
                    format == .video && isStructuredData ? nil : format
                }
            guard let finding = PageFindings.Finding(text, assuming: declared ?? assumed) else {
                continue
            }
            media.append(finding)
        }
        uncertain = []
        guard media.count == 1 else { return }
        media[0].height = media[0].height ?? height
        media[0].type = media[0].type ?? (declared == nil ? nil : type)
        // The file of a stream may have the name of a page.
        if declared == .hls || declared == .dash, let declared { media[0].format = declared }
    }

    /// Returns whether a string can be an address.
    ///
    /// Markup, sentences and a lone extension cannot.
    private static func isAddress(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (4...PageFindings.addressLength).contains(bytes.count) else { return false }
        let excluded = bytes.contains { $0 < 0x20 || $0 == 0x3c || $0 == 0x7b }
        if excluded || (bytes.contains(0x20) && !text.hasPrefix("http")) { return false }
        if bytes.first == UInt8(ascii: ".") { return text.hasPrefix("./") || text.hasPrefix("../") }
        return bytes.contains(UInt8(ascii: "/")) || bytes.contains(UInt8(ascii: "."))
    }
}
