// SPDX-License-Identifier: Apache-2.0

/// Sample manifests.
package enum ManifestFixtures {
    /// The address of the manifests.
    package static let base = "https://cdn.example/show/index.mpd?token=secret"

    /// Returns a manifest of one period with these sets.
    package static func manifest(_ sets: String, _ duration: String = "PT10S") -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"
            mediaPresentationDuration="\(duration)"><Period>\(sets)</Period></MPD>
        """
    }
}
