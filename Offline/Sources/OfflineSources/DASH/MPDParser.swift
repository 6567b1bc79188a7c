// SPDX-License-Identifier: Apache-2.0
package import OfflineMedia
package import OfflineModel
import Tidings
package import TidingsHTTP

/// Parses manifests of DASH streams (ISO/IEC 23009-1) that have ended.
///
/// The parser throws a specific error for every feature that would make the copy wrong or
/// incomplete. Unknown elements are ignored, as the format requires.
package struct MPDParser {
    /// Parses a manifest.
    ///
    /// - Parameters:
    ///   - bytes: The body of the response.
    ///   - base: The address of the manifest after redirects, which resolves relative addresses.
    ///   - limits: The largest document to accept.
    /// - Returns: The manifest.
    /// - Throws: The first problem that prevents a complete and playable copy.
    package static func parse(
        _ bytes: [UInt8],
        at base: WebAddress,
        limits: XMLLimits = .init()
    ) throws(PlaylistError) -> Manifest {
        let root: XMLTree
        do throws(XMLError) {
            root = try XMLReader.parse(bytes, limits: limits)
        } catch {
            throw PlaylistError(
                error.code == .tooLarge ? .tooLarge : .invalid,
                "The manifest cannot be read. \(error.message)",
                cause: error
            )
        }
        guard root.name == "MPD" else {
            throw PlaylistError(.notPlaylist, "This is not a DASH manifest. Check the address.")
        }
        guard root["type"] != "dynamic" else {
            throw PlaylistError(
                .live,
                "The stream is live (a dynamic DASH manifest), which this program does not "
                    + "record yet. Try again after its end."
            )
        }
        try requireNoReferences(root)
        return try MPDParser().manifest(root, ManifestScope(base: base).entering(root))
    }

    /// Throws if the manifest has parts in other documents, unless they are empty by definition.
    private static func requireNoReferences(_ element: XMLTree) throws(PlaylistError) {
        guard !isReference(element) else {
            throw .unsupported("manifests in several documents (xlink:href)")
        }
        for child in element.children where !isEmptyReference(child) {
            try requireNoReferences(child)
        }
    }

    private static func isReference(_ element: XMLTree) -> Bool {
        element.attributes.contains { $0.name.hasSuffix(":href") }
    }

    static func isEmptyReference(_ element: XMLTree) -> Bool {
        element.attributes.contains {
            $0.name.hasSuffix(":href") && $0.value == "urn:mpeg:dash:resolve-to-zero:2013"
        }
    }

    private func manifest(
        _ root: XMLTree,
        _ scope: ManifestScope
    ) throws(PlaylistError) -> Manifest {
        let elements = root.children("Period").filter { !Self.isEmptyReference($0) }
        let total = try Self.duration(root, "mediaPresentationDuration")
        var periods: [Manifest.Period] = []
        var start = 0.0
        for (index, element) in elements.enumerated() {
            start = try Self.duration(element, "start") ?? start
            let next =
                index + 1 < elements.count
                ? try Self.duration(elements[index + 1], "start") : total
            let duration = try Self.duration(element, "duration") ?? next.map { max(0, $0 - start) }
            let sets = try sets(element, scope.entering(element))
            // Periods without content or with a duration of 0 only mark advertisements.
            if !sets.isEmpty, duration ?? 1 > 0 {
                periods.append(Manifest.Period(duration: duration, sets: sets))
            }
            start += duration ?? 0
        }
        guard !periods.isEmpty else {
            throw PlaylistError(
                .empty,
                "The manifest lists no media. Check the address or try again later."
            )
        }
        // If there are titles in several languages, the first one counts.
        let titles = root.children("ProgramInformation").lazy.compactMap { $0.child("Title") }
        return Manifest(periods: periods, title: titles.compactMap { Title.stated($0.text) }.first)
    }

    private static func duration(
        _ element: XMLTree,
        _ name: String
    ) throws(PlaylistError) -> Double? {
        guard let text = element[name] else { return nil }
        guard let seconds = ISODuration.seconds(text) else {
            throw .manifest("\(name) is not a duration")
        }
        return seconds
    }
}
