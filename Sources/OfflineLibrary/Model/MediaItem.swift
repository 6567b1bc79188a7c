// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// One entry of the library, as its row says.
package struct MediaItem: Hashable, Sendable, Identifiable {
    package let id: ItemID
    package var source: MediaSource
    package var rendition: RenditionChoice
    package var allowsPrivateAddresses: Bool
    package var title: String
    package var kind: ItemKind?
    package var state: ItemState
    /// The name below the library's media folder, made of the identifier alone.
    package var fileName: String?
    /// The bytes of the finished file.
    package var size: Int64?
    package var mediaType: String?
    /// In seconds.
    package var duration: Double?
    package var width: Int?
    package var height: Int?
    package var hasPicture: Bool
    /// What a person should know about the way here, such as a start-over.
    package var note: String?
    package var failure: ItemFailure?
    package var createdAt: Date
    package var readyAt: Date?
}

/// Why an item failed.
package struct ItemFailure: Hashable, Sendable, Codable {
    package let code: String
    /// What happened and what to do, for a person.
    package let message: String

    package init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}
