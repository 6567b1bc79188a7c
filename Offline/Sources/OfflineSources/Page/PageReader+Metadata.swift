// SPDX-License-Identifier: Apache-2.0

extension PageReader {
    /// Reads `meta`, in which pages describe themselves for other sites.
    func readMeta(_ attributes: [String: String]) {
        guard let content = attributes["content"], !content.isEmpty,
            let name = (attributes["property"] ?? attributes["name"] ?? attributes["itemprop"])?
                .lowercased()
        else { return }
        switch name {
        case "og:title", "twitter:title":
            findings.titles[.shared] = findings.titles[.shared] ?? String(content.prefix(512))
        case "og:site_name":
            findings.site = String(content.prefix(128))
        case "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "thumbnailurl":
            findings.picture = findings.picture ?? content
        case "og:video", "og:video:url", "og:video:secure_url", "og:audio", "og:audio:url",
            "og:audio:secure_url", "twitter:player:stream", "contenturl":
            addShared(content, isAudio: name.hasPrefix("og:audio"), isStream: name.hasPrefix("tw"))
        case "og:video:type", "og:audio:type", "twitter:player:stream:content_type":
            shared.type = shared.type ?? content
        case "og:video:duration", "video:duration":
            shared.duration = shared.duration ?? PageDuration.seconds(content)
        case "twitter:player", "embedurl":
            findings.addPlayer(content)
        default:
            break
        }
    }

    private func addShared(_ address: String, isAudio: Bool, isStream: Bool) {
        guard shared.addresses.count < 16 else { return }
        shared.addresses.append((address, isAudio ? .audio : isStream ? .video : nil))
    }

    /// Adds the media that `meta` elements describe.
    ///
    /// The type may follow the address.
    func closeMeta() {
        let isPage = shared.type?.lowercased().contains("html") == true
        var group = PageFindings.Group(place: .metadata, duration: shared.duration)
        for (address, format) in shared.addresses {
            let finding = PageFindings.Finding(
                address,
                type: isPage ? nil : shared.type,
                assuming: isPage ? nil : format
            )
            if let finding {
                group.media.append(finding)
            } else {
                findings.addPlayer(address)
            }
        }
        findings.add(group)
    }

    /// Reads `link`: feeds, the picture, and media that the page loads early.
    func readLink(_ attributes: [String: String]) {
        guard let address = attributes["href"], !address.isEmpty else { return }
        let relation = attributes["rel"]?.lowercased() ?? ""
        let type = attributes["type"]?.lowercased() ?? ""
        let isFeed = ["rss+xml", "atom+xml", "feed+json"].contains(where: type.contains)
        if relation.contains("alternate"), isFeed {
            findings.addFeed(address)
        } else if relation == "image_src" {
            findings.picture = findings.picture ?? address
        } else if let finding = PageFindings.Finding(
            address,
            type: ["video", "audio"].contains(attributes["as"])
                ? "\(attributes["as"] ?? "")/" : type
        ) {
            findings.add(PageFindings.Group(place: .link, media: [finding]))
        }
    }
}
