// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Makes writes beyond `size` fail.
///
/// The caller must ignore `SIGXFSZ`.
func limitFiles(to size: Int) throws {
    var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t(1 << 40))
    #if os(Linux)
    let result = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
    let result = setrlimit(RLIMIT_FSIZE, &limit)
    #endif
    try #require(result == 0)
}
