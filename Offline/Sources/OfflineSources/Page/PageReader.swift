// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TidingsHTTP

/// Reads the media that a web page offers in markup and scripts, without running the scripts.
///
/// Memory and time are linear in the size of the page.
package final class PageReader: HTMLHandler {
    private enum Text {
        case title
        case script(isStructuredData: Bool)
        case link(PageFindings.Finding)
    }

    private static let textLength = 512

    var findings = PageFindings()
    /// The open `video` or `audio` element.
    var element: (name: String, group: PageFindings.Group)?
    /// The page's description of the medium in `meta` elements.
    var shared = SharedMedia()
    private var text: Text?
    private var collected: [UInt8] = []

    /// The medium of a page as the page describes it for other sites.
    struct SharedMedia {
        var addresses: [(text: String, format: PageMedia.Format?)] = []
        var type: String?
        var duration: Double?
    }

    private init() {}

    /// Returns the media of a page.
    ///
    /// - Parameters:
    ///   - bytes: The body of the response.
    ///   - charset: The charset that the server states, or nil if the server states none.
    ///   - address: The address of the page after redirects.
    /// - Returns: The media, the most probable first.
    package static func contents(
        of bytes: [UInt8],
        charset: String?,
        at address: WebAddress
    ) -> PageContents {
        let reader = PageReader()
        let isComplete = HTMLReader.read(PageText.decode(bytes, charset: charset), into: reader)
        reader.closeText()
        reader.closeElement()
        reader.closeMeta()
        var contents = PageContents(reader.findings, at: address)
        contents.isComplete = isComplete
        return contents
    }

    var readsText: Bool { text != nil }

    func text(_ piece: UnsafeRawBufferPointer) {
        if case .script = text {
            collected.append(contentsOf: piece)
        } else if collected.count < Self.textLength {
            collected.append(contentsOf: piece.prefix(Self.textLength))
        }
    }

    func start(_ name: String, _ attributes: [String: String]) {
        if name == "script" {
            closeText()
            let type = attributes["type"]?.lowercased() ?? ""
            text = .script(isStructuredData: type.contains("ld+json"))
            return
        }
        if name == "title", text == nil, findings.titles[.written] == nil { text = .title }
        if attributes.isEmpty && name != "video" && name != "audio" { return }
        switch name {
        case "video", "audio", "amp-video", "amp-audio":
            openElement(name, attributes)
        case "source", "track":
            readSource(name, attributes)
        case "meta":
            readMeta(attributes)
        case "link":
            readLink(attributes)
        case "base":
            findings.base = findings.base ?? attributes["href"]
        case "iframe", "amp-iframe", "frame":
            readFrame(attributes)
        case "embed", "object":
            readEmbedded(attributes)
        case "a":
            if let link = anchor(attributes) {
                closeText()
                text = .link(link)
            }
        default:
            if name.contains("-") { readEmbedded(attributes) }
        }
        readData(of: name, attributes)
    }

    func end(_ name: String) {
        switch (name, text) {
        case ("script", .script?), ("title", .title?), ("a", .link?): closeText()
        default: break
        }
        if name == element?.name { closeElement() }
    }

    /// Adds the group of the open element.
    func closeElement() {
        guard let open = element else { return }
        element = nil
        findings.add(open.group)
    }

    private func closeText() {
        guard let ended = text else { return }
        text = nil
        let bytes = collected
        collected = []
        switch ended {
        case .title:
            findings.titles[.written] = String(decoding: bytes, as: UTF8.self)
        case .script(let isStructuredData):
            add(ScriptReader.read(bytes, isStructuredData: isStructuredData))
        case .link(let link):
            let title = String(decoding: bytes, as: UTF8.self)
            let isBlank = title.allSatisfy(\.isWhitespace)
            findings.add(
                PageFindings.Group(place: .link, media: [link], title: isBlank ? nil : title)
            )
        }
    }

    /// Adds the findings of a script or of settings in an attribute.
    func add(_ script: ScriptReader) {
        for group in script.groups {
            findings.add(group)
            if group.place == .structuredData, let title = group.title {
                findings.titles[.described] = findings.titles[.described] ?? title
            }
        }
        findings.looseTexts.add(script.looseTexts)
        for player in script.players { findings.addPlayer(player) }
        findings.countBrowserAddresses(script.browserAddresses)
        if script.namesProtection { findings.namesProtection = true }
    }
}
