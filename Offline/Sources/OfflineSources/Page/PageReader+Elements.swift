// SPDX-License-Identifier: Apache-2.0

extension PageReader {
    private static let addressNames = ["src", "data-src", "data-original", "data-lazy-src"]

    func openElement(_ name: String, _ attributes: [String: String]) {
        closeElement()
        var group = PageFindings.Group(place: .element)
        group.picture = attributes["poster"] ?? attributes["data-poster"]
        group.title = attributes["title"] ?? attributes["aria-label"] ?? attributes["data-title"]
        group.isDecoration =
            attributes["autoplay"] != nil && attributes["muted"] != nil
            && attributes["controls"] == nil
            && (attributes["loop"] != nil || attributes["playsinline"] != nil)
        element = (name, group)
        let format: PageMedia.Format = name.hasSuffix("audio") ? .audio : .video
        for key in Self.addressNames {
            guard let address = attributes[key], !address.isEmpty else { continue }
            add(address, type: attributes["type"], label: nil, assuming: format)
        }
    }

    /// Reads `source` and `track`, which also stand alone in the markup of some players.
    func readSource(_ name: String, _ attributes: [String: String]) {
        guard let address = Self.addressNames.lazy.compactMap({ attributes[$0] }).first,
            !address.isEmpty
        else { return }
        if name == "track" {
            readTrack(address, attributes)
            return
        }
        let labels = ["res", "size", "label", "title", "data-res", "data-quality", "height"]
        let format: PageMedia.Format = element?.name.hasSuffix("audio") == true ? .audio : .video
        add(
            address,
            type: attributes["type"],
            label: labels.lazy.compactMap { attributes[$0] }.first,
            assuming: element == nil ? nil : format
        )
    }

    private func readTrack(_ address: String, _ attributes: [String: String]) {
        var texts = StatedTexts()
        let kind = attributes["kind"]?.lowercased() ?? ""
        if kind == "chapters" {
            texts.add(chapters: address)
        } else if ![kind, address].contains(where: StatedTexts.isForScripts) {
            texts.add(
                StatedTexts.Subtitle(
                    reference: address,
                    language: attributes["srclang"],
                    name: attributes["label"]
                )
            )
        }
        if element != nil {
            element?.group.texts.add(texts)
        } else {
            findings.looseTexts.add(texts)
        }
    }

    /// Adds an address to the open element, or as a separate group if no element is open.
    func add(
        _ address: String,
        type: String?,
        label: String?,
        assuming format: PageMedia.Format? = nil,
        place: PageCandidate.Place = .element
    ) {
        guard
            let finding = PageFindings.Finding(
                address,
                type: type,
                label: label,
                assuming: format
            )
        else { return }
        if element != nil {
            element?.group.media.append(finding)
        } else {
            findings.add(PageFindings.Group(place: place, media: [finding]))
        }
    }

    func readFrame(_ attributes: [String: String]) {
        for key in Self.addressNames {
            guard let address = attributes[key], !address.isEmpty else { continue }
            if PageMedia.Format(reference: address) != nil {
                add(address, type: nil, label: nil)
            } else {
                let lower = address.prefix(512).lowercased()
                let words = ["player", "embed", "video", "watch", "audio", "media", "stream"]
                if attributes["allowfullscreen"] != nil
                    || attributes["allow"]?.contains("fullscreen") == true
                    || words.contains(where: lower.contains)
                {
                    findings.addPlayer(address)
                }
            }
        }
    }

    /// Reads `embed`, `object` and the elements that pages define themselves.
    func readEmbedded(_ attributes: [String: String]) {
        for key in ["src", "data", "file", "stream", "source", "video-src", "hls", "url"] {
            guard let address = attributes[key] else { continue }
            add(address, type: attributes["type"], label: nil)
        }
    }

    /// Reads the attributes in which players keep addresses or settings.
    func readData(of name: String, _ attributes: [String: String]) {
        var group = PageFindings.Group(place: .attribute)
        for (key, value) in attributes where key.hasPrefix("data-") {
            guard value.utf8.count >= 4 else { continue }
            let first = value.utf8.first { $0 > 0x20 }
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                add(ScriptReader.read(Array(value.utf8)))
                continue
            }
            let list = LabeledAddresses.list(value).compactMap {
                PageFindings.Finding($0.reference, label: $0.label)
            }
            if !list.isEmpty {
                group.media += list
                continue
            }
            guard !value.utf8.contains(0x20) || value.hasPrefix("http"),
                !["source", "video", "audio"].contains(name) || !["data-src"].contains(key),
                let finding = PageFindings.Finding(value, assuming: Self.formats[key])
            else { continue }
            group.media.append(finding)
        }
        guard !group.media.isEmpty else { return }
        // The dictionary does not keep the order of the attributes.
        group.media.sort { $0.reference < $1.reference }
        if element != nil {
            element?.group.media += group.media
            return
        }
        group.title = attributes["data-title"] ?? attributes["title"]
        group.picture = attributes["data-poster"] ?? attributes["poster"]
        group.duration = attributes["data-duration"].flatMap(PageDuration.seconds)
        findings.add(group)
    }

    /// The formats of attributes whose addresses need no extension.
    private static let formats: [String: PageMedia.Format] = [
        "data-hls": .hls, "data-hls-url": .hls, "data-hls-src": .hls, "data-m3u8": .hls,
        "data-stream": .hls, "data-dash": .dash, "data-mpd": .dash, "data-video-src": .video,
        "data-video-url": .video, "data-video": .video, "data-mp4": .video, "data-webm": .video,
        "data-audio-src": .audio, "data-audio-url": .audio, "data-mp3": .audio,
    ]

    /// Returns the media that a link leads to, or nil for every other link.
    func anchor(_ attributes: [String: String]) -> PageFindings.Finding? {
        guard let address = attributes["href"] else { return nil }
        return PageFindings.Finding(address, type: attributes["type"])
    }
}
