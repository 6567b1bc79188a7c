// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP

/// An item with the columns of the row that `MediaItem` leaves out.
///
/// `ItemColumns` reads and writes the columns.
package struct StoredItem: Hashable, Sendable {
    /// The item.
    package var item: MediaItem
    /// The fields that the export also has.
    package var marks: ItemMarks
    /// The options of the item's requests as JSON, or nil without options.
    package var options: Optional<String>
    /// The address of the picture that a feed names for the item.
    var picture: Optional<String>
    /// Whether the item still needs a picture.
    var isPictureDue: Bool
    /// Whether the item stays beside another item of the same address.
    var isSeparate: Bool
    /// The name of the finished file before a rename whose end is not recorded.
    var formerName: Optional<String>
    /// The number by which the file system identifies the file before the rename.
    var formerFile: Optional<Int>

    /// Creates a new row.
    ///
    /// The identifier of the item has no effect, because the registry chooses a free identifier.
    package init(
        _ item: MediaItem,
        marks: ItemMarks = ItemMarks(sha256: nil, modified: nil, kept: nil),
        options: RequestOptions,
        picture: String? = nil,
        isSeparate: Bool = true
    ) {
        self.item = item
        self.marks = marks
        self.options = options.stored
        self.picture = picture
        isPictureDue = false
        self.isSeparate = isSeparate
        formerName = nil
        formerFile = nil
    }

    /// The address of the picture that a feed names for the item, or nil without one.
    package var pictureAddress: WebAddress? { picture.flatMap { try? WebAddress($0) } }
}
