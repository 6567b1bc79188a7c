// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// Reads the functions at addresses from the debug information and the symbols of a file.
struct DebugInformation {
    /// A function at an address.
    struct Function: Equatable {
        /// The name in the form that the compiler wrote.
        let name: String
        let file: String?
        let line: Int?
        /// Whether the function was inlined into the next function.
        let isInlined: Bool
    }

    /// The maximum number of references to follow from a name to a name.
    private static let referenceLimit = 8

    private let sections: DebugSections
    private let symbols: SymbolTable

    init(_ file: ProgramFile) {
        sections = DebugSections(file)
        symbols = SymbolTable(file)
    }

    /// Returns the functions at each address, innermost first.
    ///
    /// The list is empty for an address without a known function. The file is read once for all
    /// addresses.
    func functions(at addresses: AddressSet) -> [[Function]] {
        let names = symbols.names(of: addresses)
        var found = (0..<addresses.count).map { index in
            names[index].map { [Function(name: $0, file: nil, line: nil, isInlined: false)] } ?? []
        }
        guard addresses.count > 0 else { return found }
        var position = 0
        while let unit = DebugUnit(sections, at: position) {
            position = unit.end
            guard let root = unit.root() else { continue }
            for (index, functions) in functions(in: unit, root, at: addresses, names)
            where !functions.isEmpty {
                found[index] = functions
            }
        }
        return found
    }

    private func functions(
        in unit: DebugUnit,
        _ root: DebugEntry,
        at addresses: AddressSet,
        _ names: [Int: String]
    ) -> [Int: [Function]] {
        let values = DebugValues(unit, root: root)
        var claimed: [UInt64] = []
        values.forEachRange(root) { range in
            claimed += addresses.indices(in: range).map { addresses[$0] }
        }
        guard !claimed.isEmpty else { return [:] }
        let table = unit.readAbbreviations()
        let search = FunctionSearch(values, table, addresses, count: Set(claimed).count)
        var program = root.lines.flatMap { LineProgram(values, at: $0.number) }
        let places = program?.places(of: AddressSet(claimed)) ?? [:]
        let own = AddressSet(claimed)
        var found: [Int: [Function]] = [:]
        let folder = root.folder.map { values.text($0) } ?? ""
        for place in 0..<own.count {
            let index = addresses.indices(in: own[place]..<(own[place] + 1)).lowerBound
            let chain = FunctionChain(
                calls: search.calls[index] ?? [],
                place: places[place],
                outermost: names[index]
            )
            found[index] = chain.functions(
                name: { name(at: $0, values, table, limit: Self.referenceLimit) },
                path: { program?.files.path($0, values, folder: folder) }
            )
        }
        return found
    }

    /// Returns the name of the function at a position, following references to other entries.
    private func name(
        at position: Int,
        _ values: DebugValues,
        _ table: DebugAbbreviations,
        limit: Int
    ) -> FunctionChain.Name? {
        guard let entry = values.unit.entry(at: position, table) else { return nil }
        if let linkage = entry.linkageName {
            return FunctionChain.Name(text: values.text(linkage), isOfLinker: true)
        }
        if let origin = entry.origin, limit > 0 {
            let next = values.position(origin)
            let isNear = (values.unit.firstEntry..<values.unit.end).contains(next)
            let name =
                isNear
                ? name(at: next, values, table, limit: limit - 1)
                : nameElsewhere(at: next, limit: limit - 1)
            if let name { return name }
        }
        return entry.name.map { FunctionChain.Name(text: values.text($0), isOfLinker: false) }
    }

    private func nameElsewhere(at position: Int, limit: Int) -> FunctionChain.Name? {
        var start = 0
        while let unit = DebugUnit(sections, at: start) {
            start = unit.end
            guard position < unit.end else { continue }
            guard position >= unit.firstEntry, let root = unit.root() else { return nil }
            let values = DebugValues(unit, root: root)
            return name(at: position, values, unit.readAbbreviations(), limit: limit)
        }
        return nil
    }
}
#endif
