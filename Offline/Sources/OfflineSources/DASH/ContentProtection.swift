// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

/// The systems that protect the content of a stream.
enum ContentProtection {
    /// The names of the systems, keyed by identifier.
    private static let systems = [
        "edef8ba9-79d6-4ace-a3c8-27dcd51d21ed": "Widevine",
        "9a04f079-9840-4286-ab92-e65be0885f95": "PlayReady",
        "79f0049a-4098-8642-ab92-e65be0885f95": "PlayReady",
        "e2719d58-a985-b3c9-781a-b030af78d30e": "ClearKey",
        "1077efec-c0b2-4d02-ace3-3c1e52e2fb4b": "ClearKey",
        "94ce86fb-07ff-4f43-adb8-93d2fa968ca2": "FairPlay",
        "5e629af5-38da-4063-8977-97ffbd9902d4": "Marlin",
        "f239e769-efa3-4850-9c16-a903c6932efb": "Adobe Primetime",
    ]

    /// Returns the names of the systems of an element without duplicates.
    static func names(_ element: XMLTree) -> [String] {
        element.children("ContentProtection").reduce(into: []) { names, child in
            let scheme = (child["schemeIdUri"] ?? "").lowercased()
            let identifier = scheme.split(separator: ":").last.map(String.init) ?? ""
            let name =
                scheme == "urn:mpeg:dash:mp4protection:2011"
                ? "Common Encryption (\((child["value"] ?? "cenc").prefix(8)))"
                : systems[identifier] ?? "an unknown system"
            if !names.contains(name) { names.append(name) }
        }
    }

    /// Returns the refusal of protected representations.
    static func refusal(_ names: [String]) -> PlaylistError {
        var known: [String] = []
        for name in names where !known.contains(name) { known.append(name) }
        return PlaylistError(
            .protected,
            "The stream is protected (DRM) by \(known.prefix(8).joined(separator: ", ")) and "
                + "cannot be kept. Use an unprotected address of the content."
        )
    }
}

extension PlaylistError {
    /// Creates the error for a manifest that violates the format.
    static func manifest(
        _ problem: String,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> PlaylistError {
        PlaylistError(
            .invalid,
            "The manifest is invalid: \(problem). Contact its publisher, or try again later.",
            fileID: fileID,
            line: line
        )
    }
}
