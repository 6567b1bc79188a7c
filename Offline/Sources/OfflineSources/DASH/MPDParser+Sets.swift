// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import Tidings

extension MPDParser {
    /// The schemes of elements that a copy does not need, such as pictures for fast forward.
    private static let skippedSchemes: Set<String> = [
        "http://dashif.org/guidelines/trickmode", "http://dashif.org/guidelines/thumbnail_tile",
        "http://dashif.org/thumbnail_tile", "urn:mpeg:dash:srd:2014",
    ]

    /// Returns the sets of a period that a copy may need.
    func sets(
        _ period: XMLTree,
        _ scope: ManifestScope
    ) throws(PlaylistError) -> [AdaptationSet] {
        var sets: [AdaptationSet] = []
        for element in period.children("AdaptationSet") where !Self.isSkipped(element) {
            let own = try scope.entering(element)
            let all = element.children("Representation").filter { !Self.isSkipped($0) }
            var representations: [Representation] = []
            var kind: AdaptationSet.Kind?
            for child in all where child["dependencyId"] == nil {
                let inner = try own.entering(child)
                guard let found = Self.kind(inner), kind == nil || found == kind else { continue }
                kind = found
                representations.append(try Self.representation(child, inner))
            }
            guard let kind else { continue }
            sets.append(
                AdaptationSet(
                    kind: kind,
                    language: own["lang"],
                    label: element.child("Label")?.text ?? element["label"],
                    roles: Self.roles(element),
                    representations: representations
                )
            )
        }
        return sets
    }

    /// Returns the roles of a set, including roles for people who do not see or hear well.
    private static func roles(_ element: XMLTree) -> Set<String> {
        let purposes = element.children("Accessibility").compactMap { purpose -> String? in
            let value = purpose["value"]?.lowercased() ?? ""
            return switch purpose["schemeIdUri"]?.lowercased() {
            case "urn:mpeg:dash:role:2011": value
            case "urn:tva:metadata:cs:audiopurposecs:2007":
                ["1": "description", "2": "hard-of-hearing"][value]
            default: nil
            }
        }
        return Set(element.children("Role").compactMap { $0["value"]?.lowercased() } + purposes)
    }

    private static func isSkipped(_ element: XMLTree) -> Bool {
        isEmptyReference(element)
            || element.children("EssentialProperty").contains {
                skippedSchemes.contains(($0["schemeIdUri"] ?? "").lowercased())
            }
    }

    /// Returns the kind of a representation, or nil if a copy does not need the representation.
    private static func kind(_ scope: ManifestScope) -> AdaptationSet.Kind? {
        let codec = (scope["codecs"] ?? "").lowercased()
        if codec.hasPrefix("wvtt") || codec.hasPrefix("stpp") { return .text }
        if scope.mediaType == "application/ttml+xml" { return .text }
        let type = scope.mediaType.prefix { $0 != "/" }
        switch type.isEmpty || type == "application" ? scope["contentType"] ?? "" : String(type) {
        case "video": return .video
        case "audio": return .audio
        case "text": return .text
        case "": return scope["height"] == nil && codec.isEmpty ? nil : .video
        default: return nil
        }
    }

    private static func representation(
        _ element: XMLTree,
        _ scope: ManifestScope
    ) throws(PlaylistError) -> Representation {
        func size(_ name: String) throws(PlaylistError) -> Int? {
            try SegmentInformation.number(scope[name])
        }
        let codecs = (scope["codecs"] ?? "").split(separator: ",").map {
            String($0[...].trimmingSpaces)
        }
        return Representation(
            id: element["id"] ?? "",
            bandwidth: try SegmentInformation.number(element["bandwidth"]) ?? 0,
            width: try size("width"),
            height: try size("height"),
            channels: scope.channels,
            codecs: codecs,
            mediaType: scope.mediaType,
            protections: scope.protections,
            base: scope.base,
            hasOwnAddress: scope.hasOwnAddress,
            segments: scope.segments
        )
    }
}
