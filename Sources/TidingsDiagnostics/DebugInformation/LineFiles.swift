// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The files and folders that a table of lines names by number.
struct LineFiles {
    private struct Name {
        var text = DebugEntry.Value(form: DebugForm(code: 0x08), number: 0)
        var folder: UInt64 = 0
    }

    private static let limit: UInt64 = 1 << 20

    private let bytes: UnsafeRawBufferPointer
    /// Up to version 4, numbers start at 1, and folder 0 is the unit's folder.
    private let isOld: Bool
    private var folders: [Name] = []
    private var files: [Name] = []

    /// Reads the lists of a table's head.
    init(_ cursor: inout DebugCursor, _ sizes: DebugSizes) {
        bytes = cursor.bytes
        isOld = sizes.version < 5
        if isOld {
            folders = Self.oldNames(&cursor, areFiles: false)
            files = Self.oldNames(&cursor, areFiles: true)
        } else {
            folders = Self.names(&cursor, sizes)
            files = Self.names(&cursor, sizes)
        }
    }

    /// Returns the path of a file, or nil for an unknown number.
    func path(_ number: UInt64, _ values: DebugValues, folder: String) -> String? {
        guard let file = Self.name(number, in: files, isOld: isOld) else { return nil }
        let name = text(file, values)
        guard !name.isEmpty, !name.hasPrefix("/") else { return name.isEmpty ? nil : name }
        guard let parent = Self.name(file.folder, in: folders, isOld: isOld) else {
            return Self.joined(folder, name)
        }
        return Self.joined(Self.joined(folder, text(parent, values)), name)
    }

    private func text(_ name: Name, _ values: DebugValues) -> String {
        name.text.form.code == 0x08 ? bytes.text(at: name.text.number) : values.text(name.text)
    }

    private static func joined(_ folder: String, _ name: String) -> String {
        if folder.isEmpty || name.hasPrefix("/") { return name }
        return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    private static func name(_ number: UInt64, in names: [Name], isOld: Bool) -> Name? {
        guard number < UInt64(names.count) + (isOld ? 1 : 0), number > 0 || !isOld else {
            return nil
        }
        return names[Int(number) - (isOld ? 1 : 0)]
    }

    private static func oldNames(_ cursor: inout DebugCursor, areFiles: Bool) -> [Name] {
        var names: [Name] = []
        while !cursor.isAtEnd {
            var name = Name()
            let position = cursor.position
            cursor.skipText()
            if cursor.position - position <= 1 { return names }
            name.text = DebugEntry.Value(form: DebugForm(code: 0x08), number: UInt64(position))
            if areFiles {
                name.folder = cursor.variable()
                _ = cursor.variable()
                _ = cursor.variable()
            }
            names.append(name)
        }
        return names
    }

    private static func names(_ cursor: inout DebugCursor, _ sizes: DebugSizes) -> [Name] {
        let fields = (0..<cursor.number(UInt8.self)).map { _ in
            (content: cursor.variable(), form: DebugForm(code: cursor.variable()))
        }
        let count = cursor.variable()
        guard count <= limit, !fields.isEmpty else { return [] }
        var names: [Name] = []
        for _ in 0..<count where !cursor.isAtEnd {
            var name = Name()
            for field in fields {
                let number = field.form.value(&cursor, sizes)
                switch field.content {
                case 1: name.text = DebugEntry.Value(form: field.form, number: number)
                case 2: name.folder = number
                default: break
                }
            }
            names.append(name)
        }
        return names
    }
}
#endif
