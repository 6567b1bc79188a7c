// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import TidingsHTTP

/// The values that an element of a manifest passes on to nested elements.
struct ManifestScope {
    private static let inherited = ["mimeType", "codecs", "width", "height", "contentType", "lang"]

    private(set) var base: WebAddress
    private(set) var hasOwnAddress = false
    private(set) var segments = SegmentInformation()
    private(set) var protections: [String] = []
    private(set) var channels: Int?
    private var values: [String: String] = [:]

    init(base: WebAddress) { self.base = base }

    /// Returns an inherited attribute.
    subscript(name: String) -> String? { values[name] }

    /// The media type in lowercase, without parameters.
    var mediaType: String {
        (values["mimeType"] ?? "").prefix { $0 != ";" }.lowercased()[...].trimmingSpaces.description
    }

    /// Returns the values in an element.
    func entering(_ element: XMLTree) throws(PlaylistError) -> ManifestScope {
        var scope = self
        for name in Self.inherited {
            if let value = element[name] { scope.values[name] = value }
        }
        if let address = element.child("BaseURL") {
            guard address["byteRange"] == nil else {
                throw .unsupported("ranges of addresses (byteRange)")
            }
            scope.base = try base.resolving(manifest: address.text)
            scope.hasOwnAddress = true
        }
        try scope.segments.add(element)
        scope.protections += ContentProtection.names(element)
        if let count = Self.channels(element) { scope.channels = count }
        return scope
    }

    private static func channels(_ element: XMLTree) -> Int? {
        guard let child = element.child("AudioChannelConfiguration"), let value = child["value"]
        else { return nil }
        let scheme = child["schemeIdUri"] ?? ""
        // The value in Dolby's scheme is a set of bits, and some of the bits stand for two
        // speakers.
        guard scheme.hasPrefix("tag:dolby.com") || scheme.hasPrefix("urn:dolby:dash") else {
            return DecimalNumber.integer(value)
        }
        guard value.utf8.count <= 8, let bits = UInt32(value, radix: 16) else { return nil }
        let pairs: UInt32 = 0x0571
        return bits.nonzeroBitCount + (bits & pairs).nonzeroBitCount
    }
}

extension WebAddress {
    /// Resolves a reference in a manifest.
    ///
    /// This method throws `.forbiddenAddress` unless the result is an http or https address.
    func resolving(manifest reference: String) throws(PlaylistError) -> WebAddress {
        do throws(HTTPError) {
            return try resolving(String(reference[...].trimmingSpaces))
        } catch {
            throw PlaylistError(
                .forbiddenAddress,
                "An address in the manifest is not a web address: only http and https are "
                    + "supported.",
                cause: error
            )
        }
    }
}
