// SPDX-License-Identifier: Apache-2.0
// expect: switch must be exhaustive
import Tidings

func show(_ state: LoadState<String>) {
    switch state {
    case .loading: print("loading")
    case .loaded(let name): print(name)
    case .error(let error): print(error)
    }
}
