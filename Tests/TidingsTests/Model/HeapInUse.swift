// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
import Glibc

/// Returns how many bytes of this process's heap are in use, as the C library counts them.
///
/// `malloc_info` writes for each arena and at last for all together what it has from the system
/// and what of that is free.
///
/// - Returns: The bytes; nil if the C library does not tell.
func heapInUse() -> Int? {
    typealias MallocInfo = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
    // The function is in the C library, but not among what its Swift module imports.
    guard let symbol = dlsym(nil, "malloc_info") else { return nil }
    let mallocInfo = unsafeBitCast(symbol, to: MallocInfo.self)
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    guard let stream = open_memstream(&text, &size) else { return nil }
    let result = mallocInfo(0, stream)
    fclose(stream)
    defer { free(text) }
    guard result == 0, let text else { return nil }
    let total = String(cString: text).split(separator: "</heap>").last ?? ""
    func bytes(_ element: String) -> Int? {
        let line = total.split(separator: "\n").last { $0.hasPrefix("<\(element)") }
        return line?.split(separator: "size=\"").last.flatMap { Int($0.prefix { $0.isNumber }) }
    }
    guard let system = bytes("system type=\"current\""), let fast = bytes("total type=\"fast\""),
        let rest = bytes("total type=\"rest\""), let mapped = bytes("total type=\"mmap\"")
    else { return nil }
    return system + mapped - fast - rest
}
#endif
