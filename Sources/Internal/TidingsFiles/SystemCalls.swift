// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Glibc
#endif

// Methods of this module hide the names of the C functions that these functions call.

func systemWrite(_ file: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(file, bytes.baseAddress, bytes.count)
}

func systemRename(_ path: String, _ target: String) -> CInt {
    rename(path, target)
}
