// SPDX-License-Identifier: Apache-2.0
// expect: use 'refreshIfNeeded()', or 'refresh()' in any case
import Tidings
import TidingsResources

func open(_ names: Resource<[String]>) {
    names.load()
}
