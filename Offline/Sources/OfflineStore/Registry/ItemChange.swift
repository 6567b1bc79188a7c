// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import TidingsSQLite

/// A change of an item's row, except for the state, which only an ``ItemMove`` changes.
package struct ItemChange: Sendable {
    /// Returns an unused name of a file in a folder.
    typealias FreeName = (MediaFileName, LibraryDirectory) throws(SQLiteError) -> String

    /// Changes a row.
    let apply: @Sendable (inout StoredItem, FreeName) throws(SQLiteError) -> Void

    private init(
        naming apply: @escaping @Sendable (inout StoredItem, FreeName) throws(SQLiteError) -> Void
    ) {
        self.apply = apply
    }

    private init(_ apply: @escaping @Sendable (inout StoredItem) -> Void) {
        self.init(naming: { row, _ in apply(&row) })
    }

    /// Changes a field.
    ///
    /// - Precondition: The field is not the state.
    package static func set<Value: Sendable>(
        _ field: any WritableKeyPath<ItemFields, Value> & Sendable,
        _ value: Value
    ) -> ItemChange {
        precondition(field as AnyKeyPath != \ItemFields.state, "Only a move changes the state.")
        return ItemChange { $0.item.fields[keyPath: field] = value }
    }

    /// The address of the media, which replaces an earlier one.
    package static func origin(_ origin: ItemOrigin) -> ItemChange {
        ItemChange { $0.item.origin = origin }
    }

    /// The options of the item's requests.
    package static func options(_ options: RequestOptions) -> ItemChange {
        ItemChange { $0.options = options.stored }
    }

    /// A title, unless the item has a title from a source that takes precedence over this source.
    package static func title(_ title: String, from source: TitleSource = .person) -> ItemChange {
        ItemChange { row in
            guard row.item.accepts(titleFrom: source) else { return }
            row.item.fields.title = title
            row.item.titleSource = source
        }
    }

    /// Whether the download may contact private addresses.
    package static func allowsPrivateAddresses(_ isAllowed: Bool) -> ItemChange {
        ItemChange { $0.item.allowsPrivateAddresses = isAllowed }
    }

    /// The name and size in bytes of a file that is in the media folder.
    package static func file(name: String, size: Int64) -> ItemChange {
        ItemChange { $0.setFile(name, size: size) }
    }

    /// A free name for the finished file and the size in bytes, recorded before the rename.
    package static func newFile(
        _ name: MediaFileName,
        in directory: LibraryDirectory,
        size: Int64
    ) -> ItemChange {
        ItemChange(naming: { row, freeName throws(SQLiteError) in
            row.setFile(try freeName(name, directory), size: size)
        })
    }

    /// A free name for a finished file, recorded before the move, with the former name and the
    /// number by which the file system identifies the file.
    package static func rename(
        _ name: MediaFileName,
        from former: String,
        file: Int?,
        in directory: LibraryDirectory
    ) -> ItemChange {
        ItemChange(naming: { row, freeName throws(SQLiteError) in
            row.item.fields.fileName = try freeName(name, directory)
            row.formerName = former
            row.formerFile = file
        })
    }

    /// The file has its new name.
    package static var renamed: ItemChange {
        ItemChange { $0.endRename() }
    }

    /// The file keeps its former name.
    package static func notRenamed(_ name: String) -> ItemChange {
        ItemChange { row in
            row.item.fields.fileName = name
            row.endRename()
        }
    }

    /// Whether the library has a picture of the item, which then needs no other picture.
    package static func picture(_ exists: Bool) -> ItemChange {
        ItemChange { row in
            row.item.hasPicture = exists
            row.isPictureDue = false
        }
    }

    /// The time of the finished file in nanoseconds since 1970, or nil if the time is unknown.
    package static func modified(_ time: Int64?) -> ItemChange {
        ItemChange { $0.marks.modified = time }
    }

    /// The user keeps the item on purpose.
    package static var kept: ItemChange {
        ItemChange { $0.marks.kept = true }
    }
}

extension StoredItem {
    /// Records another file, whose checksum and time are unknown.
    fileprivate mutating func setFile(_ name: String, size: Int64) {
        item.fields.fileName = name
        item.fields.size = size
        marks.sha256 = nil
        marks.modified = nil
    }

    fileprivate mutating func endRename() {
        formerName = nil
        formerFile = nil
    }
}
