// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The function names that the linker keeps in a file.
struct SymbolTable {
    private static let function: UInt8 = 2
    /// The number of bytes in a symbol behind the kind.
    private static let sizeBehindKind: UInt64 = 19

    private let symbols: UnsafeRawBufferPointer
    private let names: UnsafeRawBufferPointer

    init(_ file: ProgramFile) {
        let isStripped = file[".symtab"].isEmpty
        symbols = file[isStripped ? ".dynsym" : ".symtab"]
        names = file[isStripped ? ".dynstr" : ".strtab"]
    }

    /// Returns the names of the functions at the addresses, keyed by the index of the address.
    func names(of addresses: AddressSet) -> [Int: String] {
        var found: [Int: (start: UInt64, name: UInt32)] = [:]
        var cursor = DebugCursor(symbols)
        while !cursor.isAtEnd {
            let name = cursor.number(UInt32.self)
            guard cursor.number(UInt8.self) & 0xF == Self.function else {
                cursor.skip(Self.sizeBehindKind)
                continue
            }
            cursor.skip(1)
            let section = cursor.number(UInt16.self)
            let start = cursor.number(UInt64.self)
            let size = cursor.number(UInt64.self)
            guard section != 0, size > 0 else { continue }
            let (end, isTooLarge) = start.addingReportingOverflow(size)
            guard !isTooLarge else { continue }
            for index in addresses.indices(in: start..<end)
            where found[index].map({ $0.start < start }) ?? true {
                found[index] = (start, name)
            }
        }
        return found.mapValues { names.text(at: UInt64($0.name)) }
    }
}
#endif
